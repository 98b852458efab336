// @ts-check
import { once } from 'node:events'
import WebSocket from 'ws'
import { importTypeScript } from './import-typescript.mjs'

/** @typedef {import('#/shared/server').ServerAddress} ServerAddress */
/** @typedef {import('#/shared/server-check').ServerReport} ServerReport */
/**
 * One line of the report. A `note` is optional, or cannot be checked with the publishable key.
 * @typedef {{ state: 'ok' | 'missing' | 'note', text: string, fix?: string }} Finding
 */

/** How long an answer may take, in milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000

const MARKS = { ok: '✓', missing: '✗', note: '·' }

/** @type {(text: string) => Finding} */
const ok = (text) => ({ state: 'ok', text })
/** @type {(text: string, fix: string) => Finding} */
const missing = (text, fix) => ({ state: 'missing', text, fix })
/** @type {(text: string, fix: string) => Finding} */
const note = (text, fix) => ({ state: 'note', text, fix })

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
  const [{ parseServerUrl }, { inspectServer }, schema, limits] = await Promise.all([
    importTypeScript('src/shared/server.ts'),
    importTypeScript('src/shared/server-check.ts'),
    importTypeScript('src/shared/schema-version.ts'),
    importTypeScript('src/shared/limits.ts'),
  ])
  const parsed = parseServerUrl(input.url)
  if (!parsed.ok) {
    const fix =
      parsed.problem === 'insecure'
        ? 'Use https; http works only on this computer.'
        : 'Use https://PROJECT.supabase.co.'
    return [missing('This address cannot be used.', fix)]
  }
  const address = { url: parsed.url, publishableKey: input.publishableKey.trim() }
  const report = await inspectServer(address)
  const blocker = BLOCKERS[report.problem ?? '']
  if (blocker !== undefined) return [blocker]
  return [
    ok('A Supabase server answers and accepts the key.'),
    ...schemaFindings(report, schema),
    ...(await storageFindings(address, report, limits)),
    await realtimeFinding(address),
    await graphqlFinding(address),
    ...authFindings(report),
    await mailFinding(address, accessToken),
    note(
      'Rate limits and quotas cannot be checked with this key.',
      'Compare Authentication → Rate Limits with [auth.rate_limit] in supabase/config.toml; docs/self-hosting.md lists the limits of a free project.',
    ),
  ]
}

/** By the problem that stops the check. @type {Record<string, Finding>} */
const BLOCKERS = {
  unreachable: missing(
    'The server does not answer.',
    'Check the address. A paused project has to be restored in the dashboard.',
  ),
  redirect: missing(
    'The server redirects to another address.',
    'Use the project URL of Settings → Data API.',
  ),
  'not-supabase': missing(
    'Something answers, but it is not a Supabase server.',
    'Use the project URL of Settings → Data API.',
  ),
  key: missing('The server does not accept this key.', 'Use the publishable key of Settings → API Keys.'),
}

/** @param {unknown} value undefined: older migrations do not report it @param {unknown} needed @param {[right: string, wrong: string, how: string]} texts */
const reported = (value, needed, [right, wrong, how]) =>
  value === undefined ? [] : [value === needed ? ok(right) : missing(wrong, how)]

/** @param {ServerReport} report @param {typeof import('#/shared/schema-version')} versions of this copy of Vignette */
function schemaFindings({ problem, status }, { FIRST_SCHEMA_VERSION, LAST_BEFORE_BASELINE, SCHEMA_VERSION }) {
  const push = 'Run: npx supabase db push --remote'
  if (problem === 'schema') return [missing('The migrations are missing.', push)]
  const version = status?.version ?? ''
  const fix = `docs/upgrading.md says how to go on.`
  if (status === null || (version < FIRST_SCHEMA_VERSION && version !== LAST_BEFORE_BASELINE))
    return [missing('The migrations are older than the last one of 0.1.', fix)]
  if (status.shape !== '0.2')
    return [missing('The history has been repaired, but the schema is older. Do not push.', fix)]
  return [
    ...(problem === 'app'
      ? [
          missing(
            'The project serves newer versions of Vignette than this copy.',
            'Check out a newer one: git pull',
          ),
        ]
      : []),
    version < FIRST_SCHEMA_VERSION
      ? missing('The last migration of 0.1 is applied: the project is ready for the baseline.', fix)
      : version < SCHEMA_VERSION
        ? missing(`Newer migrations than ${version} are missing.`, push)
        : ok(`The migrations are applied (${version}).`),
    ...reported(status.changes, true, [
      'The database can broadcast changes.',
      'The database cannot broadcast changes: the function realtime.send is missing.',
      'Realtime creates it: enable it under Settings → Realtime, or update your installation.',
    ]),
    ...reported(status.channels, true, [
      'The policies of the private channels exist.',
      'The policies of the private channels are missing.',
      'Run in the SQL editor: select private.create_channel_policies();',
    ]),
    ...reported(status.cleanup, 'scheduled', [
      'The hourly cleanup is scheduled.',
      'Nobody runs the hourly cleanup: old stories, notifications and sessions stay.',
      'Enable pg_cron under Database → Extensions, then run in the SQL editor: select private.schedule_cleanup();',
    ]),
    ...reported(status.before_request, true, [
      'Slow requests of members are ended before others wait for long.',
      'Members can make each other wait: PostgREST does not call private.before_request() before a request.',
      'docs/self-hosting.md says how to set pgrst.db_pre_request, or to call it in a function of your own.',
    ]),
    ...reported(status.objects, 0, [
      'No pictures and videos of closed accounts are left.',
      `Pictures and videos of closed accounts wait to be removed: ${status.objects}${status.objects === 1000 ? ' or more' : ''} accounts.`,
      'Run with the secret key of Settings → API Keys: SUPABASE_SECRET_KEY=… npm run objects -- URL',
    ]),
    ...reported(status.media_columns, true, [
      'Each column for pictures and videos is known.',
      'No picture or video can be deleted: a column with their keys is unknown, or one is missing.',
      'Look which in the SQL editor: select private.unmatched_media_columns(); own tables belong into another schema than public.',
    ]),
    ...reported(status.owner, true, [
      'The server has an owner.',
      'The server has no owner, who names moderators.',
      "Run in the SQL editor: select private.appoint('your.username', 'owner');",
    ]),
  ]
}

/** @param {ServerAddress} address @param {ServerReport} report @param {typeof import('#/shared/limits')} limits */
async function storageFindings(address, { status }, limits) {
  const create = 'Run in the SQL editor: select private.create_media_bucket();'
  switch (status?.bucket) {
    case undefined:
      return []
    case 'no-storage':
    case 'missing':
      return [missing('Storage is not set up: pictures and videos cannot be stored.', create)]
    case 'right':
      return [
        ok('The bucket for pictures and videos has the right limit and types.'),
        await uploadFinding(address, limits),
      ]
    default:
      return [
        missing(
          'The bucket for pictures and videos is public, or has another limit or other types than the app needs.',
          create,
        ),
      ]
  }
}

/** The largest upload, which Storage tells everybody who asks how to resume one. @param {ServerAddress} address @param {typeof import('#/shared/limits')} limits */
async function uploadFinding({ url, publishableKey }, { POST_VIDEO, STORY_VIDEO, VIDEO }) {
  const response = await fetch(`${url}/storage/v1/upload/resumable`, {
    method: 'OPTIONS',
    headers: { apikey: publishableKey },
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  }).catch(() => null)
  if (response === null || response.status >= 400)
    return missing(
      'Storage does not take resumable uploads, with which larger videos are sent.',
      'Restart the project; update your installation if it is your own.',
    )
  const largest = response.headers.get('tus-max-size')
  const fix = `Allow files of ${POST_VIDEO.bytes / 1_000_000} MB: docs/self-hosting.md says how.`
  if (largest === null)
    return note('Storage does not say how large a file may be: a proxy answers OPTIONS itself.', fix)
  if (Number(largest) >= POST_VIDEO.bytes) return ok('Storage takes resumable uploads of the largest videos.')
  const takes = `Storage takes files of at most ${Math.floor(Number(largest) / 1_000_000)} MB`
  if (Number(largest) >= STORY_VIDEO.bytes) {
    /** @type {typeof import('../../src/renderer/lib/media/video/video-plan.ts')} */
    const { longestSeconds } = await importTypeScript('src/renderer/lib/media/video/video-plan.ts')
    const size = { width: VIDEO.longSide, height: VIDEO.shortSide }
    const minutes = Math.floor(longestSeconds(size, { ...POST_VIDEO, bytes: Number(largest) }) / 6) / 10
    return note(`${takes}: videos in posts have up to about ${minutes} minutes.`, fix)
  }
  const push = 'Run: npx supabase config push, or raise the limit under Storage → Settings.'
  return missing(`${takes}; videos of stories have up to ${STORY_VIDEO.bytes / 1_000_000} MB.`, push)
}

/**
 * Joins a private channel without signing in. A running Realtime rejects it, which proves that it responds.
 * @param {ServerAddress} address
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
    socket.send(JSON.stringify(['1', '1', 'realtime:member:none', 'phx_join', { config: { private: true } }]))
    await once(socket, 'message', { signal })
    return ok('Realtime answers.')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return missing(
      `Realtime does not answer (${reason}).`,
      'Enable it under Settings → Realtime; restart the project if it is enabled.',
    )
  } finally {
    socket.terminate()
  }
}

/** @param {ServerReport} report */
function authFindings({ settings }) {
  if (settings === null) return []
  return [
    signUpFinding(settings),
    settings.mailer_autoconfirm === true
      ? ok('New members do not have to confirm their e-mail address.')
      : note(
          'New members have to confirm their e-mail address.',
          'Without its own mail server, a project sends mail to its team members only, and nobody else can sign up. Set up SMTP, or run: npx supabase config push',
        ),
  ]
}

/** @param {NonNullable<ServerReport['settings']>} settings */
function signUpFinding({ disable_signup, external }) {
  const fix = 'Run: npx supabase config push'
  if (external.email === false) return missing('Nobody can sign in or sign up by e-mail.', fix)
  if (!disable_signup) return ok('New members can sign up.')
  return note(
    'New members join by invitation only: nobody can sign up.',
    `Invite them under Authentication → Users. To let everybody sign up, ${fix.replace('Run', 'run')}`,
  )
}

/**
 * pg_graphql serves the same tables without PostgREST's limit on rows. Its answer to a query of no table shows that it is installed.
 * @param {ServerAddress} address
 */
async function graphqlFinding({ url, publishableKey }) {
  const answer = await jsonOf(`${url}/graphql/v1`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  })
  if (answer?.data?.__typename === undefined) return ok('The tables are not served as GraphQL.')
  return missing(
    'pg_graphql serves the tables too, without the limit of 1,000 rows for each answer.',
    'Run in the SQL editor: drop extension pg_graphql;',
  )
}

/** A hosted project's address. @type {RegExp} */
const HOSTED = /^https:\/\/([a-z0-9]+)\.supabase\.co$/

/**
 * Whether the project has a mail server. The publishable key does not say it, the operator's own token does (Management API, 'Gets
 * project's auth config').
 * @param {ServerAddress} address
 * @param {string} [accessToken]
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
      ? ok('A mail server is set up.')
      : missing('No mail server is set up: only members of your organization receive mail.', fix)
  const unknown = 'E-mail delivery cannot be checked with this key.'
  if (project === undefined) return note(unknown, fix)
  return note(
    accessToken === undefined ? unknown : 'SUPABASE_ACCESS_TOKEN may not read the settings of this project.',
    `${fix} Set SUPABASE_ACCESS_TOKEN to an access token of your account to check it.`,
  )
}

/** @param {string} url @param {RequestInit} init @returns {Promise<any>} the answer's JSON object; null if there is none */
async function jsonOf(url, init) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    const answer = response.ok ? await response.json() : null
    return typeof answer === 'object' ? answer : null
  } catch {
    return null
  }
}
