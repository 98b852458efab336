// @ts-check
import { once } from 'node:events'
import { join } from 'node:path'
import WebSocket from 'ws'
import { importTypeScript } from './import-typescript.mjs'
import { ROOT } from './paths.mjs'

/** @typedef {import('#/shared/server').ServerAddress} ServerAddress */

/**
 * One line of the report. A `note` is optional, or cannot be checked with the publishable key.
 * @typedef {{ state: 'ok' | 'missing' | 'note', text: string, fix?: string }} Finding
 */

/** How long an answer may take, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000

const MARKS = { ok: '✓', missing: '✗', note: '·' }

/** @param {Finding} finding */
export function formatFinding({ state, text, fix }) {
  return fix === undefined ? `${MARKS[state]} ${text}` : `${MARKS[state]} ${text}\n    ${fix}`
}

/**
 * @param {ServerAddress} input as typed by an operator
 * @param {string} [accessToken] of the operator's account at Supabase, which may read a hosted project's settings
 * @returns {Promise<Finding[]>} in the order in which to fix them
 */
export async function checkConnection(input, accessToken) {
  /** @type {[typeof import('#/shared/server'), typeof import('#/shared/server-check'), typeof import('#/shared/schema-version'), typeof import('#/shared/limits')]} */
  const [{ parseServerUrl }, { inspectServer }, { FIRST_SCHEMA_VERSION }, limits] = await Promise.all([
    importTypeScript(join(ROOT, 'src/shared/server.ts')),
    importTypeScript(join(ROOT, 'src/shared/server-check.ts')),
    importTypeScript(join(ROOT, 'src/shared/schema-version.ts')),
    importTypeScript(join(ROOT, 'src/shared/limits.ts')),
  ])
  const parsed = parseServerUrl(input.url)
  if (!parsed.ok) {
    const fix =
      parsed.problem === 'insecure'
        ? 'Use https; http works only on this computer.'
        : 'Use https://PROJECT.supabase.co.'
    return [{ state: 'missing', text: 'This address cannot be used.', fix }]
  }
  const address = { url: parsed.url, publishableKey: input.publishableKey.trim() }
  const report = await inspectServer(address)
  const blocker = BLOCKERS[report.problem ?? '']
  if (blocker !== undefined) return [{ state: 'missing', text: blocker[0], fix: blocker[1] }]
  return [
    { state: 'ok', text: 'A Supabase server answers and accepts the key.' },
    ...schemaFindings(report, FIRST_SCHEMA_VERSION),
    ...(await storageFindings(address, report, limits.STORED_VIDEO_BYTES)),
    await realtimeFinding(address),
    await graphqlFinding(address),
    ...authFindings(report),
    await mailFinding(address, accessToken),
    {
      state: 'note',
      text: 'Rate limits and quotas cannot be checked with this key.',
      fix: 'Compare Authentication → Rate Limits with [auth.rate_limit] in supabase/config.toml; docs/self-hosting.md lists the limits of a free project.',
    },
  ]
}

/** What is wrong, and how to fix it, by the problem that stops the check. @type {Record<string, [text: string, fix: string]>} */
const BLOCKERS = {
  unreachable: [
    'The server does not answer.',
    'Check the address. A paused project has to be restored in the dashboard.',
  ],
  redirect: ['The server redirects to another address.', 'Use the project URL of Settings → Data API.'],
  'not-supabase': [
    'Something answers, but it is not a Supabase server.',
    'Use the project URL of Settings → Data API.',
  ],
  key: ['The server does not accept this key.', 'Use the publishable key of Settings → API Keys.'],
}

/**
 * @param {import('#/shared/server-check').ServerReport} report
 * @param {string} firstVersion
 * @returns {Finding[]}
 */
function schemaFindings({ problem, status }, firstVersion) {
  const push = 'Run: npx supabase db push --remote'
  if (problem === 'schema') return [{ state: 'missing', text: 'The migrations are missing.', fix: push }]
  // The first migrations had no `setup_status`.
  if (status === null || (status.version !== null && status.version < firstVersion)) {
    return [
      {
        state: 'missing',
        text: 'The migrations of a preview of Vignette are applied, which cannot be upgraded.',
        fix: 'Create a new project, or delete all data of this one: npx supabase db reset --linked',
      },
    ]
  }
  return [
    problem === 'outdated'
      ? {
          state: 'missing',
          text: `Newer migrations than ${status.version ?? 'none'} are missing.`,
          fix: push,
        }
      : { state: 'ok', text: `The migrations are applied (${status.version}).` },
    status.changes
      ? { state: 'ok', text: 'The database can broadcast changes.' }
      : {
          state: 'missing',
          text: 'The database cannot broadcast changes: the function realtime.send is missing.',
          fix: 'Realtime creates it: enable it under Settings → Realtime, or update your installation.',
        },
    status.channels
      ? { state: 'ok', text: 'The policies of the private channels exist.' }
      : {
          state: 'missing',
          text: 'The policies of the private channels are missing.',
          fix: 'Run in the SQL editor: select private.create_channel_policies();',
        },
    ...cleanupFindings(status),
  ]
}

/**
 * @param {NonNullable<import('#/shared/server-check').ServerReport['status']>} status
 * @returns {Finding[]}
 */
function cleanupFindings({ cleanup }) {
  if (cleanup === undefined) return []
  if (cleanup === 'scheduled') return [{ state: 'ok', text: 'The hourly cleanup is scheduled.' }]
  return [
    {
      state: 'missing',
      text: 'Nobody runs the hourly cleanup: old stories, notifications and sessions stay.',
      fix: 'Enable pg_cron under Database → Extensions, then run in the SQL editor: select private.schedule_cleanup();',
    },
  ]
}

/**
 * @param {ServerAddress} address
 * @param {import('#/shared/server-check').ServerReport} report
 * @param {number} videoBytes of the largest video
 * @returns {Promise<Finding[]>}
 */
async function storageFindings(address, { status }, videoBytes) {
  const create = 'Run in the SQL editor: select private.create_media_bucket();'
  switch (status?.bucket) {
    case undefined:
      return []
    case 'no-storage':
    case 'missing':
      return [
        {
          state: 'note',
          text: 'Storage is not set up: pictures and videos are stored in the database, and a post has one picture.',
          fix: `Once the project has Storage, ${create.replace('Run', 'run')}`,
        },
      ]
    case 'right':
      return [
        { state: 'ok', text: 'The bucket for pictures and videos has the right limit and types.' },
        await uploadFinding(address, videoBytes),
      ]
    default:
      return [
        {
          state: 'missing',
          text: 'The bucket for pictures and videos is public, or has another limit or other types than the app needs.',
          fix: create,
        },
      ]
  }
}

/**
 * Asks for the largest upload of the project, which Storage tells everybody in the protocol of resumable uploads.
 * @param {ServerAddress} address
 * @param {number} videoBytes
 * @returns {Promise<Finding>}
 */
async function uploadFinding({ url, publishableKey }, videoBytes) {
  const response = await fetch(`${url}/storage/v1/upload/resumable`, {
    method: 'OPTIONS',
    headers: { apikey: publishableKey },
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  }).catch(() => null)
  if (response === null || response.status >= 400) {
    return {
      state: 'missing',
      text: 'Storage does not take resumable uploads, with which larger videos are sent.',
      fix: 'Restart the project; update your installation if it is your own.',
    }
  }
  const largest = response.headers.get('tus-max-size')
  if (largest === null) {
    return {
      state: 'note',
      text: 'Storage does not say how large a file may be: something in front of it answers OPTIONS itself.',
      fix: `Allow files of ${videoBytes / 1_000_000} MB.`,
    }
  }
  if (Number(largest) >= videoBytes)
    return { state: 'ok', text: 'Storage takes resumable uploads of the largest videos.' }
  return {
    state: 'missing',
    text: `Storage takes files of at most ${Math.floor(Number(largest) / 1_000_000)} MB; videos have up to ${videoBytes / 1_000_000} MB.`,
    fix: 'Run: npx supabase config push, or raise the limit under Storage → Settings.',
  }
}

/**
 * Joins a private channel without signing in. A running Realtime rejects it, which proves that it responds.
 * @param {ServerAddress} address
 * @returns {Promise<Finding>}
 */
async function realtimeFinding({ url, publishableKey }) {
  const socket = new WebSocket(
    `${url.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${encodeURIComponent(publishableKey)}&vsn=2.0.0`,
    { handshakeTimeout: ANSWER_TIMEOUT_MS },
  )
  // Terminating a socket before it opens also emits an error.
  socket.on('error', () => undefined)
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  try {
    await once(socket, 'open', { signal })
    const config = {
      private: true,
      broadcast: { ack: false, self: false },
      presence: { key: '', enabled: false },
    }
    socket.send(JSON.stringify(['1', '1', 'realtime:member:none', 'phx_join', { config }]))
    await once(socket, 'message', { signal })
    return { state: 'ok', text: 'Realtime answers.' }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      state: 'missing',
      text: `Realtime does not answer (${reason}).`,
      fix: 'Enable it under Settings → Realtime; restart the project if it is enabled.',
    }
  } finally {
    socket.terminate()
  }
}

/**
 * @param {import('#/shared/server-check').ServerReport} report
 * @returns {Finding[]}
 */
function authFindings({ settings }) {
  if (settings === null) return []
  const needsConfirmation = settings.mailer_autoconfirm !== true
  return [
    signUpFinding(settings),
    needsConfirmation
      ? {
          state: 'note',
          text: 'New members have to confirm their e-mail address.',
          fix: 'Without its own mail server, a project sends mail to its team members only, and nobody else can sign up. Set up SMTP, or run: npx supabase config push',
        }
      : { state: 'ok', text: 'New members do not have to confirm their e-mail address.' },
  ]
}

/**
 * @param {NonNullable<import('#/shared/server-check').ServerReport['settings']>} settings
 * @returns {Finding}
 */
function signUpFinding({ disable_signup, external }) {
  const fix = 'Run: npx supabase config push'
  if (external.email === false)
    return { state: 'missing', text: 'Nobody can sign in or sign up by e-mail.', fix }
  if (!disable_signup) return { state: 'ok', text: 'New members can sign up.' }
  return {
    state: 'note',
    text: 'New members join by invitation only: nobody can sign up.',
    fix: `Invite them under Authentication → Users. To let everybody sign up, ${fix.replace('Run', 'run')}`,
  }
}

/**
 * pg_graphql serves the same tables without PostgREST's limit on rows. Its answer to a query of no table shows that it is installed.
 * @param {ServerAddress} address
 * @returns {Promise<Finding>}
 */
async function graphqlFinding({ url, publishableKey }) {
  const answer = await jsonOf(`${url}/graphql/v1`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  })
  if (answer?.data?.__typename === undefined)
    return { state: 'ok', text: 'The tables are not served as GraphQL.' }
  return {
    state: 'missing',
    text: 'pg_graphql serves the tables too, without the limit of 1,000 rows for each answer.',
    fix: 'Run in the SQL editor: drop extension pg_graphql;',
  }
}

/** A hosted project's address. @type {RegExp} */
const HOSTED = /^https:\/\/([a-z0-9]+)\.supabase\.co$/

/**
 * Whether the project has a mail server. The publishable key does not say it, the operator's own token does (Management API, 'Gets
 * project's auth config').
 * @param {ServerAddress} address
 * @param {string} [accessToken]
 * @returns {Promise<Finding>}
 */
async function mailFinding({ url }, accessToken) {
  const project = HOSTED.exec(url)?.[1]
  const fix = 'Password recovery needs a mail server: docs/self-hosting.md, "Mail".'
  const settings =
    project === undefined || accessToken === undefined
      ? null
      : await jsonOf(`https://api.supabase.com/v1/projects/${project}/config/auth`, {
          headers: { authorization: `Bearer ${accessToken}` },
        })
  if (settings !== null && 'smtp_host' in settings)
    return settings.smtp_host
      ? { state: 'ok', text: 'A mail server is set up.' }
      : {
          state: 'missing',
          text: 'No mail server is set up: only members of your organization receive mail.',
          fix,
        }
  if (project === undefined)
    return { state: 'note', text: 'E-mail delivery cannot be checked with this key.', fix }
  return {
    state: 'note',
    text:
      accessToken === undefined
        ? 'E-mail delivery cannot be checked with this key.'
        : 'SUPABASE_ACCESS_TOKEN may not read the settings of this project.',
    fix: `${fix} Set SUPABASE_ACCESS_TOKEN to an access token of your account to check it.`,
  }
}

/**
 * @param {string} url
 * @param {RequestInit} init
 * @returns {Promise<any>} the answer's JSON object; null if there is none
 */
async function jsonOf(url, init) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    const answer = response.ok ? await response.json() : null
    return typeof answer === 'object' ? answer : null
  } catch {
    return null
  }
}
