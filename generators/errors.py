"""What can go wrong while passages are made; each text is one sentence for the person who asked."""


class GenerationError(Exception):
    """Passages cannot be made, read or audited as asked."""


class CorpusMissingError(GenerationError):
    """The package that supplies a corpus is not on this machine."""


class BadCorpusError(GenerationError):
    """A corpus is unknown, or a corpus file cannot be read."""


class BackendMissingError(GenerationError):
    """The package that supplies a model or its engine is not on this machine."""


class TooFewPassagesError(GenerationError):
    """The corpus does not hold enough usable text for what was asked."""


class PassageFileError(GenerationError):
    """A passage file cannot be read."""


class PlanError(GenerationError):
    """A plan cannot be read or makes no sense."""
