import { PASSWORD_BYTES_MAX, PASSWORD_MIN } from '#/shared/limits'

/** The names of the member who chooses a password, '' where they are unknown. Others try them first. */
export interface PasswordOwner {
  email: string
  username: string
  fullName: string
}

export type PasswordProblem = 'too-long' | 'own-name' | 'common'

/** At most this many digits and signs around a word are a decoration: 'Summer2026!'. */
const DECORATION_MAX = 8

/** Digits and signs that stand for a letter; '1' for two. */
const LETTERS: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
}

const withoutAccents = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Without spaces and signs: 'mara.lind' and 'Mara Lind' are the same. */
const compact = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '')

const asLetters = (text: string, one: string) =>
  text.replace(/[@4!013$57]/g, (sign) => (sign === '1' ? one : (LETTERS[sign] ?? sign)))

/** The part that 'abcabc' repeats; null if it repeats none. */
const repeated = (text: string) => /^(.+?)\1+$/su.exec(text)?.[1] ?? null

/** The words that somebody tries who guesses this password: without decoration, with letters for signs, and unrepeated. */
function wordsOf(password: string): Set<string> {
  const whole = withoutAccents(password)
  const start = whole.replace(/\P{L}+$/u, '')
  const core = start.replace(/^\P{L}+/u, '')
  const parts = whole.length - core.length <= DECORATION_MAX ? [whole, start, core] : [whole]
  const spelled = parts.flatMap((part) => [part, asLetters(part, 'i'), asLetters(part, 'l')])
  const words = spelled.flatMap((text) => [text, compact(text)])
  return new Set(words.flatMap((word) => [word, repeated(word) ?? word]))
}

/** The names of a member as somebody would type them into a password. */
function namesOf({ email, username, fullName }: PasswordOwner): Set<string> {
  const local = email.split('@')[0] ?? ''
  const texts = [username, fullName, email, local, local.split('+')[0] ?? ''].map(withoutAccents)
  const names = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]).map(compact)
  const all = names.flatMap((name) => [name, name.replace(/\p{N}+$/u, '')])
  return new Set(all.filter((name) => name.length > 1))
}

/** Bcrypt ignores all bytes after these, so a longer password would not be what protects the account. */
function isTooLong(password: string): boolean {
  return new TextEncoder().encode(password).length > PASSWORD_BYTES_MAX
}

/** Why a new password is refused, or null. The server judges one that is too short. */
export function newPasswordProblem(
  password: string,
  owner: PasswordOwner,
  common: ReadonlySet<string>,
): PasswordProblem | null {
  if (isTooLong(password)) return 'too-long'
  if (password.length < PASSWORD_MIN) return null
  const words = wordsOf(password)
  const names = namesOf(owner)
  if ([...words].some((word) => names.has(word))) return 'own-name'
  const isPattern = (repeated(password) ?? password).length < 4
  return isPattern || [...words].some((word) => common.has(word)) ? 'common' : null
}

/** The list is loaded with the forms that need it, because it is larger than they are. */
export async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { default: list } = await import('./common-passwords.txt?raw')
  return new Set(list.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
}
