import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { sessionKey } from '#/shared/server'

/** Values for the sign-up form; by default of a member that does not exist yet. */
export interface Newcomer {
  fullName: string
  username: string
  email: string
  password: string
}

export function newcomer(wanted: Partial<Newcomer> = {}): Newcomer {
  const username = wanted.username ?? `n${randomBytes(5).toString('hex')}`
  return {
    fullName: 'Noor Haddad',
    username,
    email: `${username}@example.com`,
    password: 'correct horse',
    ...wanted,
  }
}

export function passwordField(page: Page, name = 'Password') {
  return page.getByLabel(name, { exact: true })
}

export async function fillSignIn(page: Page, { email, password }: Pick<Newcomer, 'email' | 'password'>) {
  await page.getByLabel('Email').fill(email)
  await passwordField(page).fill(password)
}

export async function fillSignUp(page: Page, { fullName, username, email, password }: Newcomer) {
  await page.getByLabel('Full name').fill(fullName)
  await page.getByLabel('Username').fill(username)
  await fillSignIn(page, { email, password })
}

/** The header's navigation, which only signed-in members see. */
export function navigation(page: Page) {
  return page.getByRole('navigation', { name: 'Main' })
}

export async function openAccountMenu(page: Page) {
  await page.getByRole('button', { name: 'Account menu' }).click()
  return page.getByRole('menu')
}

/**
 * Presses 'Sign Out' in the open menu once the page has loaded, because the server refuses requests of an ended
 * session.
 */
export async function pressSignOut(page: Page) {
  await page.waitForLoadState('networkidle')
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click()
}

export async function signOut(page: Page) {
  await openAccountMenu(page)
  await pressSignOut(page)
}

/** The keys of sessions in the page's storage, for any server. */
export function storedSessions(page: Page): Promise<string[]> {
  const prefix = sessionKey({ storageKey: '' })
  return page.evaluate((start) => Object.keys(localStorage).filter((key) => key.startsWith(start)), prefix)
}

interface StoredSession {
  access_token: string
  refresh_token: string
  /** In seconds since 1970. */
  expires_at: number
}

const KEY = sessionKey({ storageKey: 'embedded' })

export async function readSession(page: Page): Promise<StoredSession> {
  const text = await page.evaluate((key) => localStorage.getItem(key), KEY)
  if (text === null) throw new Error('no session is stored')
  return JSON.parse(text)
}

/** Replaces parts of the stored session. */
export async function changeSession(
  page: Page,
  patch: Partial<StoredSession> & { user?: { id: string } },
): Promise<void> {
  const session = { ...(await readSession(page)), ...patch }
  await page.evaluate(([key, text]) => localStorage.setItem(key, text), [
    KEY,
    JSON.stringify(session),
  ] as const)
}

/** Makes the stored access token expire, as after an hour. */
export function expireSession(page: Page, patch: Partial<StoredSession> = {}): Promise<void> {
  return changeSession(page, { expires_at: Math.floor(Date.now() / 1000) - 60, ...patch })
}

/** Connects the sign-in screen to a server, by its address and publishable key. */
export async function connect(page: Page, url: string, key: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Connect to a server' })
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Connect to a server…' }).click()
  await dialog.getByLabel('Server address').fill(url)
  await dialog.getByLabel('Publishable key').fill(key)
  await dialog.getByRole('button', { name: 'Connect' }).click()
}
