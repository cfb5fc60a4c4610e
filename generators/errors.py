"""What can go wrong while passages are made; each text is one sentence for the person who asked."""


class GenerationError(Exception):
    """Passages cannot be made, read or audited as asked."""


class CorpusMissingError(GenerationError):
    """The package that supplies a corpus is not on this machine."""


class BadCorpusError(GenerationError):
    """A corpus is unknown, or a corpus file cannot be read."""


class BackendMissingError(GenerationError):
    """The package that supplies a model or its engine is not on this machine."""


class HubError(GenerationError):
    """The Hugging Face hub cannot be reached, or does not have what was asked for."""


class EndpointError(GenerationError):
    """The server that runs a model is not there or does not answer as it should.

    Attributes:
        lasting: the same request would fail again, and so would every other.
    """

    def __init__(self, sentence: str, *, lasting: bool = False) -> None:
        super().__init__(sentence)
        self.lasting = lasting


class TooFewPassagesError(GenerationError):
    """The corpus does not hold enough usable text for what was asked."""


class PassageFileError(GenerationError):
    """A passage file cannot be read."""


class PlanError(GenerationError):
    """A plan cannot be read or makes no sense."""
