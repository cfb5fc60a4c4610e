"""A key and value cache that grows in strides instead of being copied at every token."""

from typing import Any

from transformers.cache_utils import Cache, DynamicLayer

STRIDE = 128


class RoomyLayer(DynamicLayer):  # type: ignore[misc]
    """Keys and values of one layer, with room for the next tokens."""

    keys: Any
    values: Any
    _room: tuple[Any, Any] | None = None

    def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> tuple[Any, Any]:
        """Append in place and return what is filled."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        used: int = self.get_seq_length()
        filled = used + key_states.shape[-2]
        if self._room is None or filled > self._room[0].shape[-2]:
            self._room = (
                _moved(self.keys, key_states, used, filled + STRIDE),
                _moved(self.values, value_states, used, filled + STRIDE),
            )
        for room, states in zip(self._room, (key_states, value_states), strict=True):
            room[:, :, used:filled] = states
        self.keys, self.values = (room[:, :, :filled] for room in self._room)
        return self.keys, self.values

    def batch_select_indices(self, indices: Any) -> None:
        """Keep some rows, and move them into room of their own at the next token."""
        super().batch_select_indices(indices)
        self._room = None


def roomy_cache() -> Any:
    """Return an empty cache for a model of any depth."""
    return Cache(layer_class_to_replicate=RoomyLayer)


def _moved(old: Any, like: Any, used: int, size: int) -> Any:
    rows, heads, _, width = like.shape
    room = like.new_zeros(rows, heads, size, width)
    if used:
        room[:, :, :used] = old
    return room
