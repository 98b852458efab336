import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { FIRST_SCHEMA_VERSION, LAST_BEFORE_BASELINE, SCHEMA_VERSION } from '#/shared/schema-version'
import { checkConnection, formatFinding } from '../../scripts/lib/connect-check.mjs'

const SETTINGS = { external: { email: true }, disable_signup: false, mailer_autoconfirm: true }
const STATUS = {
  version: SCHEMA_VERSION,
  shape: '0.2',
  changes: true,
  channels: true,
  bucket: 'right',
  cleanup: 'scheduled',
  before_request: true,
  objects: 0,
  media_columns: true,
  owner: true,
}

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

interface Project {
  settings?: object
  /** The result of `setup_status`; null for a project without the function. */
  status?: object | null
  /** Whether it has the function `username_available`. */
  hasUsernames?: boolean
  hasRealtime?: boolean
  /** The headers of Storage's resumable uploads. */
  uploads?: Record<string, string> | null
  /** What pg_graphql answers, which is part of every hosted project. */
  graphql?: object
}

/** Starts a fake Supabase project and returns its address. */
async function startProject({
  settings = {},
  status = {},
  hasUsernames = false,
  hasRealtime = true,
  uploads = { 'tus-version': '1.0.0', 'tus-max-size': '209715200' },
  graphql = { errors: [{ message: 'pg_graphql extension is not enabled.' }] },
}: Project = {}): Promise<string> {
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const send = (code: number, body: object | boolean) => response.writeHead(code).end(JSON.stringify(body))
    if (request.headers.apikey !== 'sb_publishable_1') return send(401, { message: 'Invalid API key' })
    if (request.url === '/storage/v1/upload/resumable' && request.method === 'OPTIONS')
      return uploads === null ? send(404, {}) : response.writeHead(204, uploads).end()
    if (request.url === '/graphql/v1' && request.method === 'POST') return send(200, graphql)
    if (request.url === '/auth/v1/settings') return send(200, { ...SETTINGS, ...settings })
    if (request.url === '/rest/v1/rpc/setup_status' && status !== null)
      return send(200, { ...STATUS, ...status })
    if (request.url === '/rest/v1/rpc/username_available' && hasUsernames) return send(200, true)
    return send(404, { code: 'PGRST202' })
  }
  server = createServer(answer)
  if (hasRealtime) {
    new WebSocketServer({ server, path: '/realtime/v1/websocket' }).on('connection', (socket) => {
      socket.on('message', () =>
        socket.send('["1","1","realtime:member:none","phx_reply",{"status":"error"}]'),
      )
    })
  }
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function check(project?: Project, publishableKey = 'sb_publishable_1') {
  const findings = await checkConnection({ url: await startProject(project), publishableKey })
  return {
    lines: findings.map(formatFinding),
    missing: findings.filter(({ state }) => state === 'missing').map(({ text }) => text),
  }
}

test('reports nothing missing for a complete project', async () => {
  const { lines, missing } = await check()
  expect(missing).toEqual([])
  expect(lines[0]).toBe('✓ A Supabase server answers and accepts the key.')
  expect(lines).toContain('✓ The hourly cleanup is scheduled.')
  expect(lines).toContain('✓ Slow requests of members are ended before others wait for long.')
  expect(lines).toContain('✓ No pictures and videos of closed accounts are left.')
  expect(lines).toContain('✓ Realtime answers.')
  expect(lines).toContain('✓ Storage takes resumable uploads of the largest videos.')
})

test.each<[string, Project, string, RegExp]>([
  ['no migrations', { status: null }, 'The migrations are missing.', /npx supabase db push --remote/],
  [
    'missing newer migrations',
    { status: { version: FIRST_SCHEMA_VERSION } },
    `Newer migrations than ${FIRST_SCHEMA_VERSION} are missing.`,
    /npx supabase db push --remote/,
  ],
  [
    'migrations of 0.1 of which some are missing',
    { status: { version: '20261128043000', shape: undefined } },
    'The migrations are older than the last one of 0.1.',
    /docs\/upgrading\.md/,
  ],
  [
    'migrations from before setup_status',
    { status: null, hasUsernames: true },
    'The migrations are older than the last one of 0.1.',
    /docs\/upgrading\.md/,
  ],
  [
    'all migrations of 0.1',
    { status: { version: LAST_BEFORE_BASELINE } },
    'The last migration of 0.1 is applied: the project is ready for the baseline.',
    /docs\/upgrading\.md/,
  ],
  ...[LAST_BEFORE_BASELINE, FIRST_SCHEMA_VERSION, SCHEMA_VERSION].map(
    (version): [string, Project, string, RegExp] => [
      `a history that was repaired without the changes, at ${version}`,
      { status: { version, shape: undefined } },
      'The history has been repaired, but the schema is older. Do not push.',
      /docs\/upgrading\.md/,
    ],
  ),
  [
    'no function realtime.send',
    { status: { changes: false } },
    'The database cannot broadcast changes: the function realtime.send is missing.',
    /Settings → Realtime/,
  ],
  [
    'no policies on realtime.messages',
    { status: { channels: false } },
    'The policies of the private channels are missing.',
    /select private\.create_channel_policies\(\)/,
  ],
  [
    'no hourly cleanup',
    { status: { cleanup: 'missing' } },
    'Nobody runs the hourly cleanup: old stories, notifications and sessions stay.',
    /pg_cron .*select private\.schedule_cleanup\(\);/,
  ],
  [
    'a function before each request that does not call private.before_request()',
    { status: { before_request: false } },
    'Members can make each other wait: PostgREST does not call private.before_request() before a request.',
    /docs\/self-hosting\.md .*pgrst\.db_pre_request/,
  ],
  [
    'objects of closed accounts',
    { status: { objects: 3 } },
    'Pictures and videos of closed accounts wait to be removed: 3 accounts.',
    /npm run objects/,
  ],
  [
    'a column with keys of objects that is not described',
    { status: { media_columns: false } },
    'No picture or video can be deleted: a column with their keys is unknown, or one is missing.',
    /select private\.unmatched_media_columns\(\);/,
  ],
  [
    'no owner',
    { status: { owner: false } },
    'The server has no owner, who names moderators.',
    /select private\.appoint\(/,
  ],
  [
    'an app that the project no longer serves',
    { status: { serves: '99991231000000' } },
    'The project serves newer versions of Vignette than this copy.',
    /git pull/,
  ],
  ...['missing', 'no-storage'].map((bucket): [string, Project, string, RegExp] => [
    `Storage that is not set up (${bucket})`,
    { status: { bucket } },
    'Storage is not set up: pictures and videos cannot be stored.',
    /select private\.create_media_bucket\(\)/,
  ]),
  [
    'a bucket with another limit',
    { status: { bucket: 'changed' } },
    'The bucket for pictures and videos is public, or has another limit or other types than the app needs.',
    /select private\.create_media_bucket\(\)/,
  ],
  [
    'a smaller limit of the project',
    { uploads: { 'tus-version': '1.0.0', 'tus-max-size': '20971520' } },
    'Storage takes files of at most 20 MB; videos of stories have up to 45 MB.',
    /config push/,
  ],
  [
    'no resumable uploads',
    { uploads: null },
    'Storage does not take resumable uploads, with which larger videos are sent.',
    /update your installation/,
  ],
  [
    'no e-mail accounts',
    { settings: { external: { email: false } } },
    'Nobody can sign in or sign up by e-mail.',
    /config push/,
  ],
  [
    'tables that are served as GraphQL',
    { graphql: { data: { __typename: 'Query' } } },
    'pg_graphql serves the tables too, without the limit of 1,000 rows for each answer.',
    /drop extension pg_graphql;/,
  ],
])('reports %s with the fix', async (_, project, text, fix) => {
  const { lines, missing } = await check(project)
  expect(missing).toEqual([text])
  expect(lines.find((line) => line.includes(text))).toMatch(fix)
})

test('reports a Realtime that does not answer', async () => {
  const { missing } = await check({ hasRealtime: false })
  expect(missing).toEqual([expect.stringMatching(/^Realtime does not answer \(/)])
})

test.each([
  ['45000000', '45 MB: videos in posts have up to about 2.6 minutes.'],
  ['52428800', '52 MB: videos in posts have up to about 3 minutes.'],
  ['199999999', '199 MB: videos in posts have up to about 10 minutes.'],
])('MEDIA-01 says how long videos may be with a limit of the project of %s bytes', async (size, text) => {
  const uploads = { 'tus-version': '1.0.0', 'tus-max-size': size }
  const { lines, missing } = await check({ uploads })
  expect(missing).toEqual([])
  expect(lines.join('\n')).toContain(`Storage takes files of at most ${text}\n    Allow files of 200 MB`)
})

test('MEDIA-01 says when the limit of the project cannot be read', async () => {
  const { lines, missing } = await check({ uploads: {} })
  expect(missing).toEqual([])
  expect(lines.join('\n')).toMatch(/does not say how large a file may be: .*\n.*Allow files of 200 MB/)
})

test('takes sign-up by invitation only for a choice', async () => {
  const { lines, missing } = await check({ settings: { disable_signup: true } })
  expect(missing).toEqual([])
  expect(lines.join('\n')).toMatch(/join by invitation only: nobody can sign up\.\n.*Authentication → Users/)
})

test.each([
  ['no mail server', { smtp_host: null }, '✗ No mail server is set up: only members of your organization'],
  ['a mail server', { smtp_host: 'mail.example.com' }, '✓ A mail server is set up.'],
  [
    'a project of another account',
    null,
    '· SUPABASE_ACCESS_TOKEN may not read the settings of this project.',
  ],
])('with the operator’s token, reports %s', async (_, answer, line) => {
  const project = await startProject()
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (!url.startsWith('https://')) return fetch(url, init)
    if (url !== 'https://api.supabase.com/v1/projects/abcdef/config/auth')
      return fetch(url.replace('https://abcdef.supabase.co', project), init)
    expect(init.headers).toEqual({ authorization: 'Bearer sbp_1' })
    return Promise.resolve(Response.json(answer ?? {}, { status: answer === null ? 403 : 200 }))
  })
  const address = { url: 'https://abcdef.supabase.co', publishableKey: 'sb_publishable_1' }
  const lines = (await checkConnection(address, 'sbp_1')).map(formatFinding)
  vi.unstubAllGlobals()
  expect(lines.join('\n')).toContain(line)
})

test('explains that e-mail confirmation needs SMTP', async () => {
  const { lines, missing } = await check({ settings: { mailer_autoconfirm: false } })
  expect(missing).toEqual([])
  expect(lines.join('\n')).toMatch(/have to confirm their e-mail address\.\n.*Set up SMTP/)
})

test.each([
  ['another key', 'sb_other', 'The server does not accept this key.'],
  ['no key', '', 'The server does not accept this key.'],
])('stops at %s', async (_, key, text) => {
  expect((await check({}, key)).missing).toEqual([text])
})

test('stops at an address that cannot be used', async () => {
  const findings = await checkConnection({ url: 'http://photos.example.com', publishableKey: 'x' })
  expect(findings.map(formatFinding)).toEqual([
    '✗ This address cannot be used.\n    Use https; http works only on this computer.',
  ])
})
