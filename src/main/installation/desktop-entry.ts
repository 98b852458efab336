// Desktop Entry Specification 1.5: https://specifications.freedesktop.org/desktop-entry-spec/1.5/

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' }
const UNESCAPED: Readonly<Record<string, string>> = { s: ' ', n: '\n', t: '\t', r: '\r' }

/** Escapes a value of the type string. */
export function entryString(value: string): string {
  return value.replace(/[\\\n\t\r]/g, (character) => ESCAPED[character] ?? character)
}

function readString(escaped: string): string {
  return escaped.replace(/\\(.)/g, (_, character: string) => UNESCAPED[character] ?? character)
}

/** Quotes an argument for the Exec key, whose quotes come on top of the escapes of strings; `%` starts a field code. */
function execArgument(argument: string): string {
  const quoted = argument.replace(/[\\"`$]/g, (character) => `\\${character}`).replaceAll('%', '%%')
  return `"${entryString(quoted)}"`
}

/**
 * Quotes a program for the Exec key. GLib looks for it before it expands `%%` (gdesktopappinfo.c), and takes the entry for
 * one whose program is missing: there `env` starts it.
 */
export function execProgram(program: string): string {
  return `${program.includes('%') ? 'env ' : ''}${execArgument(program)}`
}

const EXEC = /^(Exec[ \t]*=[ \t]*)(.*)$/gm

/** Divides the value of an Exec key into its program, quoted or up to the first space, and the rest. */
function divide(escaped: string): { program: string; rest: string } {
  const value = readString(escaped)
  const [start = '', program = ''] = /^(?:env (?="))?("(?:[^"\\]|\\.)*"|\S+)/s.exec(value) ?? []
  return { program, rest: value.slice(start.length) }
}

/** The program that an entry starts; null if it names none. */
export function entryProgram(entry: string): string | null {
  const [line] = entry.matchAll(EXEC)
  const { program } = divide(line?.[2] ?? '')
  if (program === '') return null
  const plain = program.startsWith('"') ? program.slice(1, -1).replace(/\\(.)/gs, '$1') : program
  return plain.replaceAll('%%', '%')
}

/** The entry with another program in all its Exec keys, whose arguments stay. */
export function withProgram(entry: string, program: string): string {
  return entry.replace(EXEC, (_, key: string, value: string) => {
    return key + execProgram(program) + entryString(divide(value).rest)
  })
}
