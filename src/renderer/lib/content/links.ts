import { isPlainHost } from './link-hosts'

/** An http(s) address in a member's text. */
export interface Link {
  /** As in the text. */
  text: string
  /** What is shown: the text, or with the ASCII form of a host that could be read as another one. */
  shown: string
  url: string
}

/** Characters that draw nothing or turn others around; the same as private.hidden_characters() in supabase/schemas. */
export const HIDDEN = String.raw`\p{Default_Ignorable_Code_Point}`
export const SCHEME = String.raw`[Hh][Tt][Tt][Pp][Ss]?:\/\/`

/** The beginning of a link in a text, for a pattern with the flag `u`; `linkAt` reads the link. */
export const LINK_START = `(?<![A-Za-z0-9])(?<scheme>${SCHEME})`

const LETTER = String.raw`\p{L}\p{M}\p{Nd}`
const LABEL = `(?:(?!${HIDDEN})[${LETTER}_-])+`
export const IPV6 = String.raw`\[[0-9A-Fa-f:.]+\]`
export const PORT = String.raw`(?<port>:\d{1,5}(?!\d))?`

/**
 * What precedes the host as a user name: https://example.com:443@example.net leads to example.net. One class: with two alternatives
 * that both match a variation selector, a text of thirty would be tried in a billion ways.
 */
const USER = `[${HIDDEN}${LETTER}._~%:+=&$!*-]*@`
const AT = new RegExp(
  String.raw`(?<scheme>${SCHEME})(?!${USER})(?<host>${LABEL}(?:\.${LABEL})*|${IPV6})${PORT}`,
  'uy',
)

/** A letter of a script without spaces between words, or of one that is written from right to left: a sentence goes on with it. */
const NEXT_WORD = String.raw`(?=\p{L})[${'Arab Bopo Hang Hani Hebr Hira Kana Khmr Laoo Mymr Thai Tibt'
  .split(' ')
  .map((script) => String.raw`\p{scx=${script}}`)
  .join('')}]`
/** The host before such a word: no top-level domain mixes these scripts with Latin. */
const HOST_BEFORE_WORD = new RegExp(String.raw`^(?:.*\.)?[A-Za-z0-9-]*[A-Za-z0-9](?=${NEXT_WORD}[^.]*$)`, 'u')

/** Characters of a path: RFC 3986 without quotes and what closes a sentence, and letters of all scripts. */
const PATH = new RegExp(
  String.raw`(?:(?!${HIDDEN}|(?<=[A-Za-z0-9])${NEXT_WORD})[${LETTER}·\-._~:\/?#[\]@!$&'()*+,;=%|^{}])*`,
  'uy',
)
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/** How far the characters of a path reach, which does not depend on where they begin: hundreds of links may stand within them. */
export interface Reach {
  end: number
}

/** The path that begins here, without brackets and punctuation that belong to the sentence. */
function pathAt(text: string, start: number, reach: Reach): string {
  if (start >= reach.end) {
    PATH.lastIndex = start
    PATH.exec(text)
    reach.end = PATH.lastIndex
  }
  const path = text.slice(start, reach.end)
  const open: { closing: string; at: number }[] = []
  let at = 0
  for (; at < path.length; at += 1) {
    const character = path.charAt(at)
    const closing = CLOSING[character]
    if (closing !== undefined) open.push({ closing, at })
    else if (')]}'.includes(character)) {
      if (open.at(-1)?.closing !== character) break
      open.pop()
    }
  }
  let end = open[0]?.at ?? at
  while (".,;:!?'*|^".includes(path.charAt(end - 1)) && end > 0) end -= 1
  return path.slice(0, end)
}

export function toLink(scheme: string, host: string, rest: string): Link | null {
  const text = scheme + host + rest
  if (!URL.canParse(text)) return null
  const { hostname, href } = new URL(text)
  return isPlainHost(host, hostname)
    ? { text, shown: text, url: text }
    : { text, shown: scheme + hostname + rest, url: href }
}

/**
 * The link that begins here; null for what is no address on the web, or has a user name.
 * @param reach of one text, from link to link
 */
export function linkAt(text: string, start: number, reach: Reach): Link | null {
  AT.lastIndex = start
  const { scheme = '', host = '', port = '' } = AT.exec(text)?.groups ?? {}
  if (!/[.[]|^localhost$/i.test(host)) return null
  const [ownHost] = HOST_BEFORE_WORD.exec(host) ?? []
  if (ownHost !== undefined) return toLink(scheme, ownHost, '')
  const end = AT.lastIndex
  if (!/[/?#]/.test(text.charAt(end))) return toLink(scheme, host, port)
  // Before the path, which may be long.
  if (!URL.canParse(scheme + host + port)) return null
  return toLink(scheme, host, port + pathAt(text, end, reach))
}
