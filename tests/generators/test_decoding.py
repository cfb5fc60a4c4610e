import pytest

from generators.decoding import Decoding


def test_no_setting_is_left_to_a_library() -> None:
    assert Decoding().record() == {
        "top_p": 1.0,
        "top_k": 0,
        "temperature": 1.0,
        "repetition_penalty": 1.0,
        "frequency_penalty": 0.0,
        "presence_penalty": 0.0,
        "suppressed": "",
    }


@pytest.mark.parametrize(
    "settings",
    [{"top_p": 1.1}, {"top_p": -0.1}, {"top_k": -1}, {"temperature": 0}, {"repetition_penalty": 0}],
)
def test_a_setting_without_meaning_is_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Decoding(**settings)  # type: ignore[arg-type]


def test_every_top_p_is_recorded_not_only_the_papers() -> None:
    assert Decoding(top_p=0.73).record()["top_p"] == 0.73
