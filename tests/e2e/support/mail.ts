import { readFile } from 'node:fs/promises'
import { givenServer } from '#tests/given-server'
import { createApi } from './member'
import type { TestServer } from './server'

/** The code of the newest mail to this address. */
export async function mailedCode(server: TestServer, email: string): Promise<string> {
  const mail = await newestMail(server, email)
  // The texts of the embedded server, and of the templates in supabase/.
  const code = /(?:code: |<strong>)(\d{6})\b/.exec(mail)?.[1]
  if (code === undefined) throw new Error(`No code was mailed to ${email}`)
  return code
}

/**
 * The target of the link in the newest mail to this address. The embedded server mails no link, so it is built from the
 * code like GoTrue's.
 */
export async function mailedLink(server: TestServer, email: string): Promise<string> {
  if (server.info.kind === 'embedded') return `${server.url}/login${await recoveryFragment(server, email)}`
  const link = /href="([^"]*\/verify\?[^"]*)"/.exec(await newestMail(server, email))?.[1]
  if (link === undefined) throw new Error(`No link was mailed to ${email}`)
  return link.replaceAll('&amp;', '&')
}

/** The fragment with the session of a recovery, to which GoTrue redirects after it has verified the link. */
async function recoveryFragment(server: TestServer, email: string): Promise<string> {
  const { data, error } = await createApi(server.info).auth.verifyOtp({
    email,
    token: await mailedCode(server, email),
    type: 'recovery',
  })
  if (error !== null || data.session === null) throw error ?? new Error('No session')
  const { access_token, refresh_token } = data.session
  return `#${new URLSearchParams({ access_token, refresh_token, expires_in: '3600', token_type: 'bearer', type: 'recovery' })}`
}

/** The body of the newest mail to this address; empty if there is none. */
async function newestMail({ info }: TestServer, email: string): Promise<string> {
  if (info.mailFile !== null) {
    const mails = (await readFile(info.mailFile, 'utf8')).split(/^-{72}$/m)
    return mails.findLast((mail) => mail.includes(`To: ${email}\n`)) ?? ''
  }
  const { mailUrl } = givenServer()
  if (mailUrl === null) throw new Error('Set VIGNETTE_TEST_MAIL_URL to the Mailpit of the given server')
  const query = new URLSearchParams({ query: `to:"${email}"`, limit: '1' })
  const found: { messages: { ID: string }[] } = await getJson(`${mailUrl}/api/v1/search?${query}`)
  const [newest] = found.messages
  if (newest === undefined) return ''
  const { HTML }: { HTML: string } = await getJson(`${mailUrl}/api/v1/message/${newest.ID}`)
  return HTML
}

async function getJson<T>(url: string): Promise<T> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.json()
}
