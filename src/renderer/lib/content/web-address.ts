import { HIDDEN, IPV6, type Link, PORT, SCHEME, toLink } from './links'

const WHOLE = new RegExp(
  String.raw`^(?<scheme>${SCHEME})(?<host>${IPV6}|(?:(?!${HIDDEN})[^\s\/?#\\@:])+)${PORT}(?<path>(?:[\/?#](?:(?!${HIDDEN})\S)*)?)$`,
  'u',
)

/** The web address that is the whole text, as in the website of a profile; null if it is none or disguised. */
export function webAddress(text: string): Link | null {
  const { scheme = '', host, port = '', path = '' } = WHOLE.exec(text)?.groups ?? {}
  return host === undefined ? null : toLink(scheme, host, port + path)
}

const DISGUISE = new RegExp(String.raw`${HIDDEN}|^${SCHEME}[^\/?#\\]*@`, 'u')

/** Whether a web address has invisible characters, or a user name before its host. */
export function isDisguised(text: string): boolean {
  return DISGUISE.test(text)
}
