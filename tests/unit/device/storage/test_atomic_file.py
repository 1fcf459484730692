"""A file is the old one or the new one, whenever the plug is pulled."""

import errno
import os

import pytest

from device.storage.atomic_file import put_in_place, write_whole


def test_a_file_is_written_into_a_folder_that_was_not_there(tmp_path):
    path = tmp_path / "state" / "deck.json"
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert [each.name for each in path.parent.iterdir()] == ["deck.json"]


def test_what_is_written_is_on_the_disk_before_it_gets_its_name(tmp_path, monkeypatch):
    path = tmp_path / "deck.json"
    path.write_bytes(b"old")
    done = []
    sync, replace = os.fsync, os.replace

    def synced(handle):
        done.append(("on disk", os.readlink(f"/proc/self/fd/{handle}"), path.read_bytes()))
        sync(handle)

    def renamed(part, whole):
        done.append(("named", str(part), path.read_bytes()))
        replace(part, whole)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", renamed)
    write_whole(path, b"new")
    assert done == [
        ("on disk", f"{path}.new", b"old"),
        ("named", f"{path}.new", b"old"),
        ("on disk", str(path), b"new"),  # its size too, which FAT keeps beside its name
        ("on disk", str(tmp_path), b"new"),
    ]


@pytest.mark.parametrize("name", ["fsync", "replace"])
def test_a_disk_that_refuses_leaves_the_old_file_and_no_half_one(tmp_path, monkeypatch, name):
    path = tmp_path / "deck.json"
    path.write_bytes(b"old")

    def refuse(*what):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, name, refuse)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["deck.json"]


def test_a_stick_that_cannot_sync_its_folder_is_good_enough(tmp_path, monkeypatch):
    part, path = tmp_path / ".part", tmp_path / "copy"
    part.write_bytes(b"new")
    sync = os.fsync

    def only_files(handle):
        if os.path.isdir(f"/proc/self/fd/{handle}"):
            raise OSError(errno.EINVAL, "Invalid argument")
        sync(handle)

    monkeypatch.setattr(os, "fsync", only_files)
    put_in_place(part, path)
    assert path.read_bytes() == b"new"
    assert not part.exists()


def test_a_half_written_file_of_last_time_is_in_nobodys_way(tmp_path):
    path = tmp_path / "deck.json"
    (tmp_path / "deck.json.new").write_bytes(b"half of a longer one")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert [each.name for each in tmp_path.iterdir()] == ["deck.json"]
