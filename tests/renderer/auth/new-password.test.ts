import { describe, expect, test } from 'vitest'
import {
  loadCommonPasswords,
  newPasswordProblem,
  type PasswordOwner,
} from '#/renderer/features/auth/new-password'

const NOBODY: PasswordOwner = { email: '', username: '', fullName: '' }
const MARA: PasswordOwner = {
  email: 'M.Lind+photos@Example.com',
  username: 'mara_lind99',
  fullName: 'Mära Lind-Östberg',
}
const common = await loadCommonPasswords()
const problemOf = (password: string, owner = NOBODY) => newPasswordProblem(password, owner, common)

describe('AUTH-18 a new password', () => {
  test.each([
    ['72 letters', 'horse battery staple '.repeat(4).slice(0, 72), null],
    ['73 letters', 'horse battery staple '.repeat(4).slice(0, 73), 'too-long'],
    ['24 letters of three bytes', '私の馬は電池とホチキスを食べましたよ本当にです。', null],
    ['25 letters of three bytes', '私の馬は電池とホチキスを食べましたよ本当にです。ね', 'too-long'],
    ['37 letters of two bytes', `${'ä'.repeat(36)}ö`, 'too-long'],
    ['19 emoji', `${'🐎'.repeat(18)}🔋`, 'too-long'],
  ])('has at most 72 bytes: %s', (_, password, problem) => {
    expect(problemOf(password)).toBe(problem)
  })

  test.each([
    'password',
    'PassWord',
    'password1',
    'Password123!',
    '!!password!!',
    'p@ssw0rd',
    'P4$$w0rd2026!',
    'pa55word',
    'passwordpassword',
    'pässword',
    'password',
    'Summer2026!',
    'monkey12',
    '1dragon1',
    '12345678',
    '123456789!',
    '00000000',
    'aaaaaaaa',
    'abababab',
    'hahahahaha',
    '!!!!!!!!',
    'qwertyuiop',
    '1qaz2wsx',
    'iloveyou',
    'il0vey0u!',
    'trustno1',
  ])('is refused if it is common, or a decorated common one: %s', (password) => {
    expect(problemOf(password)).toBe('common')
  })

  test.each([
    'mara_lind99',
    'MaraLind99',
    'mara.lind2026!',
    'Mara Lind Östberg',
    'maralindostberg',
    'Östberg1999',
    'M@ra1234!',
    'lindlind',
    'm.lind123',
    'mlind+photos',
    'm.lind+photos@example.com',
    'photos2026',
  ])('is refused if it is a name of the member: %s', (password) => {
    expect(problemOf(password, MARA)).toBe('own-name')
    expect(
      problemOf(password, { ...NOBODY, email: 'ada@example.com', username: 'ada', fullName: 'Ada' }),
    ).not.toBe('own-name')
  })

  test.each([
    'correct horse',
    'a new horse',
    'a longer horse',
    'mara rides a horse',
    'tr0ubador&3 lamps',
    'Vg7#kQ2!',
    '8264051937',
    'love 93 lamps',
    'ein Pferd im Öl',
    '私の馬は電池を食べた',
    'purple-monkey-dishwasher',
  ])('is accepted if it is neither: %s', (password) => {
    expect(problemOf(password, MARA)).toBeNull()
  })

  test('that is too short is left to the server', () => {
    expect(['', 'short', 'monkey', 'mara'].map((password) => problemOf(password, MARA))).toEqual(
      Array(4).fill(null),
    )
  })

  test('is compared with ten thousand passwords, without the notice of their license', () => {
    expect(common.size).toBe(9_996)
    expect([...common].filter((word) => /\s|^#/.test(word) || word.length < 4)).toEqual([])
  })
})
