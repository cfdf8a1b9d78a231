"""Settings of the tests: random cases take the time they take, on a busy machine too."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
