"""What ``make demo`` leaves out is named, with how to install it."""

import sys

import pytest

from device import version
from device.cli import main


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("pydantic", ("config", "check", "--config", "{file}")),
        ("babel.numbers", ("play", "--token-value", "1", "--journal", "{folder}/j.sqlite3")),
    ],
)
def test_a_package_that_is_not_there_is_named_in_one_line(
    module, words, tmp_path, monkeypatch, capsys
):
    file = tmp_path / "config.toml"
    file.write_text("[game]\nstake = 2\n", encoding="utf-8")
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delenv("BONEACE_DEBUG", raising=False)
    words = [word.format(file=file, folder=tmp_path) for word in words]
    assert main(words) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    package = module.split(".")[0]
    assert f"this needs {package}, which is not installed; run: {sys.executable} -m pip" in line
    assert line.rstrip("'").split(package)[-1].startswith((">=", "<")), "the version that is wanted"


@pytest.mark.parametrize(
    ("module", "extra", "words"),
    [
        ("aiomqtt", "hall", ("publish",)),
        ("aiomqtt", "hall", ("hall",)),
        ("uvicorn", "hall", ("hall",)),
    ],
)
def test_a_package_of_an_extra_is_named_with_the_extra(module, extra, words, monkeypatch, capsys):
    for name in [
        name
        for name in sys.modules
        if name.startswith(("device.commands", "device.hall", "device.web"))
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delenv("BONEACE_DEBUG", raising=False)
    assert main(list(words)) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert f"this needs {module}, which is not installed" in line
    assert line.endswith(f"pip install 'boneace[{extra}]'")


def test_another_module_that_is_not_there_is_our_own_fault(monkeypatch):
    monkeypatch.setitem(sys.modules, "device.commands.rules", None)
    with pytest.raises(ModuleNotFoundError):
        main(["rules", "bone-ace"])


def test_all_that_a_table_lacks_is_named_at_once(monkeypatch):
    there = {"gpiozero": False, "pydantic": False, "babel": False}

    def installed(name):
        if not there.get(name, True):
            raise version.PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(version, "version", installed)
    found = version.missing_for("babel.numbers")
    assert [each.split(">")[0].split("<")[0] for each in found] == ["babel", "gpiozero", "pydantic"]
    assert version.missing_for("aiomqtt")[0] == "boneace[hall]"
    assert version.missing_for("not_there") == []
