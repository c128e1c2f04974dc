"""Tables and books of the tests stand in a folder of their own."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def home(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRILITH_HOME", str(tmp_path_factory.mktemp("home")))
        yield
