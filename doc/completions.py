"""Writes what bash, zsh or fish need to complete envaudit's command line.

    completions.py bash|zsh|fish CLI_FOLDER     CLI_FOLDER has commands.def and options.def
"""
import re
import sys
from pathlib import Path

STRING = r'"((?:[^"\\]|\\.)*)"'
COMMAND = re.compile(rf"^X\((\w+), {STRING}, {STRING}, {STRING}\)$", re.M)
OPTION = re.compile(rf"^X\((\w+), (0|'(.)'), {STRING}, (?:NULL|{STRING}), ([^,]+),\s+{STRING}\)$", re.M)


class Command:
    def __init__(self, match):
        self.id, self.name, self.args, self.help = match.groups()
        self.options = []


class Option:
    def __init__(self, match):
        _, _, self.letter, self.name, self.argument, self.commands, self.help = match.groups()
        self.words = self.argument.split("|") if self.argument and "|" in self.argument else []

    def belongs_to(self, command):
        return "IN_ALL" in self.commands or f"IN({command.id})" in self.commands


def read(folder):
    texts = [(folder / name).read_text(encoding="utf-8") for name in ("commands.def", "options.def")]
    commands = [Command(match) for match in COMMAND.finditer(texts[0])]
    options = [Option(match) for match in OPTION.finditer(texts[1])]
    for text, found in zip(texts, (commands, options)):
        if len(re.findall(r"^X\(", text, re.M)) != len(found):
            sys.exit("completions.py: a line of the tables was not understood")
    for command in commands:
        command.options = [option for option in options if option.belongs_to(command)]
    return commands, options


def bash(commands, options):
    names = " ".join(command.name for command in commands)
    print(f"""# bash completion for envaudit; generated
_envaudit()
{{
	local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command= i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${{COMP_WORDS[i]}} in
		{names.replace(" ", "|")}) command=${{COMP_WORDS[i]}}; break ;;
		esac
	done
	case $prev in""")
    for option in options:
        if option.words:
            print(f"""	--{option.name}) COMPREPLY=($(compgen -W '{" ".join(option.words)}' -- "$cur")); return ;;""")
        elif option.argument == "DIR":
            print(f"""	--{option.name}) mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;""")
        elif option.argument and option.argument != "FILE":
            print(f"""	--{option.name}) return ;;""")
    print("""	esac
	if [[ $cur == -* ]]; then
		case ${command:-audit} in""")
    for command in commands:
        words = " ".join(f"--{option.name}" for option in command.options)
        print(f"""		{command.name}) COMPREPLY=($(compgen -W '{words}' -- "$cur")) ;;""")
    print(f"""		esac
	elif [[ $command == explain ]]; then
		COMPREPLY=($(compgen -W "$(envaudit explain 2>/dev/null |
			sed -n 's/^EA[0-9]* \\([^:]*\\):.*/\\1/p')" -- "$cur"))
	elif [[ ! $command ]]; then
		mapfile -t COMPREPLY < <(compgen -W '{names}' -- "$cur"; compgen -f -- "$cur")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
	fi
}}
complete -o filenames -F _envaudit envaudit""")


def quoted(text):
    return text.replace("'", "'\\''")


def zsh_option(option):
    text = re.sub(r"([\[\]:])", r"\\\1", option.help)
    action = ""
    if option.argument:
        values = f"({' '.join(option.words)})" if option.words else \
            {"FILE": "_files", "DIR": "_files -/"}.get(option.argument, "")
        action = f":{re.sub('[|=]', ' ', option.argument)}:{values}"
    names = [f"--{option.name}"] + ([f"-{option.letter}"] if option.letter else [])
    repeat = "*" if "repeated" in option.help else ""
    return [f"'{repeat}{name}[{quoted(text)}]{action}'" for name in names]


def zsh(commands, _options):
    print("""#compdef envaudit
# zsh completion for envaudit; generated
_envaudit()
{
	local command=audit word
	for word in ${words[2,CURRENT-1]}; do
		case $word in""")
    print(f"""		{"|".join(command.name for command in commands)}) command=$word; break ;;
		esac
	done
	case $command in""")
    for command in commands:
        print(f"	{command.name})\n		_arguments \\")
        for option in command.options:
            for line in zsh_option(option):
                print(f"			{line} \\")
        print("			'1::command or target:_envaudit_first' '*:argument:_files' ;;")
    print("""	esac
}
_envaudit_first()
{
	local -a commands=(""")
    for command in commands:
        print(f"		'{command.name}:{quoted(command.help)}'")
    print("""	)
	_describe command commands
	_files
}
_envaudit "$@\"""")


def fish(commands, options):
    print("# fish completion for envaudit; generated")
    names = " ".join(command.name for command in commands)
    for command in commands:
        print(f"complete -c envaudit -n 'not __fish_seen_subcommand_from {names}' "
              f"-a {command.name} -d '{quoted(command.help)}'")
    for option in options:
        others = " ".join(command.name for command in commands if option not in command.options)
        line = "complete -c envaudit"
        if others:
            line += f" -n 'not __fish_seen_subcommand_from {others}'"
        if option.letter:
            line += f" -s {option.letter}"
        line += f" -l {option.name}"
        if option.words:
            line += f" -x -a '{' '.join(option.words)}'"
        elif option.argument:
            line += " -r" if option.argument in ("FILE", "DIR") else " -x"
        print(f"{line} -d '{quoted(option.help)}'")


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("bash", "zsh", "fish"):
        sys.exit(__doc__)
    {"bash": bash, "zsh": zsh, "fish": fish}[sys.argv[1]](*read(Path(sys.argv[2])))


if __name__ == "__main__":
    main()
