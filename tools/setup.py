"""Make .venv ready: checked Python, torch first, then the package. Only the standard library, and syntax any Python reads."""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(HERE, ".venv")
STAMP = os.path.join(VENV, ".ready")
TORCH = "torch==2.13.0"  # exactly this: a looser request downloads gigabytes of CUDA
PACKAGE = ".[train,web,dev]"
OLDEST = (3, 11)


def main():
    require_python(sys.version_info, sys.executable)
    require_ensurepip()
    make_venv()
    for wanted in ([TORCH], ["-e", PACKAGE]):
        install(wanted)
    with open(STAMP, "w") as stamp:
        stamp.write("set up by tools/setup.py; remove this file to set up again\n")


def require_python(version, executable):
    if tuple(version[:2]) < OLDEST:
        stop(
            "Clearhead needs Python {}.{} or newer, and {} is {}.{}. "
            "Install a newer one, then name it: make PYTHON=python3.12 run".format(
                OLDEST[0], OLDEST[1], executable, version[0], version[1]
            )
        )


def require_ensurepip():
    try:
        import ensurepip  # noqa: F401  (only its presence matters)
        import venv  # noqa: F401
    except ImportError:
        stop(
            "This Python cannot make virtual environments (no ensurepip). On Debian or Ubuntu: apt-get install python3-venv; "
            "elsewhere install Python from its maker. Then run the same command again."
        )


def make_venv():
    if os.path.exists(VENV) and not works(VENV):
        say("A half-made .venv is here; making it again.")
        shutil.rmtree(VENV)
    if not os.path.exists(VENV):
        say("Making .venv ...")
        if subprocess.call([sys.executable, "-m", "venv", VENV]) != 0:
            stop(
                "Could not make {}. Is the disk full, or the folder read-only? Mend that and run the command again.".format(
                    VENV
                )
            )


def works(venv):
    """A .venv works if its own Python is new enough and has pip."""
    check = "import pip, sys; sys.exit(sys.version_info < {!r})".format(OLDEST)
    try:
        return subprocess.call([python_of(venv), "-c", check], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def python_of(venv):
    return os.path.join(venv, "bin", "python")


def install(wanted):
    say("Installing {} ...".format(wanted[-1]))
    command = [python_of(VENV), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(command + wanted, cwd=HERE, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        stop(advice(done.stderr, wanted[-1]))


def advice(stderr, wanted):
    """The sentence that fits what pip complained of."""
    text = stderr.lower()
    if "no space left" in text:
        return "The disk is full. Free about 3 GB, then run the same command again; what is installed stays."
    if any(
        sign in text
        for sign in ("connection", "resolution", "timed out", "unreachable", "max retries", "no matching distribution")
    ):
        return (
            "Could not fetch {}: is there a network? Connect (or point PIP_INDEX_URL or PIP_FIND_LINKS at a mirror), "
            "then run the same command again; what is installed stays.".format(wanted)
        )
    return "pip could not install {}; its own words are above. Put that right, then run the same command again.".format(wanted)


def say(sentence):
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def stop(sentence):
    sys.stderr.write("clearhead set-up: " + sentence + "\n")
    sys.exit(2)


if __name__ == "__main__":
    main()
