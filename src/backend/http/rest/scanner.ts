/** A request that is not served; becomes an error in PostgREST's format. */
export class NotServedError extends Error {
  override readonly name = 'NotServedError'

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** Throws a NotServedError. The message is also logged, so it may contain names but no values. */
export function refuse(message: string, code = 'PGRST100'): never {
  throw new NotServedError(400, code, message)
}

export function splitNames(names: string | undefined): string[] {
  return names === undefined || names === '' ? [] : names.split(' ')
}

const IDENTIFIER = /[a-z][a-z0-9_]{0,62}/y

/** Reads tokens of a text from start to end. */
export class Scanner {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length
  }

  /** Whether the rest starts with this text. */
  sees(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }

  /** Consumes this text if the rest starts with it. */
  take(text: string): boolean {
    if (!this.sees(text)) return false
    this.#at += text.length
    return true
  }

  expect(text: string): void {
    if (!this.take(text)) refuse(`'${text}' is missing in the query`)
  }

  expectEnd(): void {
    if (!this.isAtEnd) refuse('The query goes on after its end')
  }

  /** A name in lower case. */
  identifier(): string {
    IDENTIFIER.lastIndex = this.#at
    const [found] = IDENTIFIER.exec(this.#text) ?? []
    if (found === undefined) return refuse('A name is missing in the query')
    this.#at += found.length
    return found
  }

  /** Consumes everything before the first of these characters, or the whole rest. */
  until(stops: string): string {
    const from = this.#at
    while (!this.isAtEnd && !stops.includes(this.#text.charAt(this.#at))) this.#at += 1
    return this.#text.slice(from, this.#at)
  }

  /** Consumes a text in double quotes with backslash escapes. */
  quoted(): string {
    this.expect('"')
    let text = ''
    for (;;) {
      text += this.until('"\\')
      if (this.take('"')) return text
      this.expect('\\')
      if (this.isAtEnd) return refuse('A quote does not end')
      text += this.#text.charAt(this.#at)
      this.#at += 1
    }
  }
}
