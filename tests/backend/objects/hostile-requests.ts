import { randomUUID } from 'node:crypto'
import { type Agent, type IncomingHttpHeaders, request as send } from 'node:http'
import fc from 'fast-check'
import type { Backend } from '#/backend/start/start-backend'
import { words } from '#tests/words'

export interface RawRequest {
  method: string
  /** Sent as it is: `fetch` would normalize it. */
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array | undefined
}

export interface RawResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends a request without changing its path. */
export function sendRaw(
  backend: Pick<Backend, 'port'>,
  agent: Agent,
  { method, path, headers, body }: RawRequest,
) {
  return new Promise<RawResponse>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { host: '127.0.0.1', port: backend.port, agent, method, path }
    const outgoing = send({ ...options, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** What a stranger may know: keys of hidden objects, and tokens that are not valid for them. */
export interface Knowledge {
  hidden: readonly string[]
  /** Ids of members with hidden objects. */
  members: readonly string[]
  /** Tokens for the parameter `token` of a link. */
  linkTokens: readonly string[]
  /** Values of the header `authorization`. */
  authorizations: readonly string[]
}

const SERVED_PREFIXES = ['object/media/', 'object/sign/media/', 'object/authenticated/media/']

const OTHER_PREFIXES = words(`
  object/public/media/ object/info/media/ object/info/authenticated/media/ object/upload/sign/media/
  object/list/media/ render/image/sign/media/ render/image/authenticated/media/ upload/resumable/ s3/media/
  cdn/media/
`)

const ENDPOINTS = words(`
  object/media object/sign/media object/list/media object/list-v2/media object/copy object/move bucket
  bucket/media bucket/media/empty upload/resumable
`)

const EXACT = [(key: string) => key]

/** Other spellings of a key with which a server could find the object, or another file. */
const SPELLINGS: readonly ((key: string) => string)[] = [
  (key) => key.toUpperCase(),
  (key) => `/${key}`,
  (key) => `${key}/`,
  (key) => key.replace('/', '%2f'),
  (key) => key.replace('/', '//'),
  (key) => key.replace('/', '/./'),
  (key) => key.replace('/', '\\'),
  (key) => key.replaceAll('-', '%2d'),
  (key) => `${key}%00`,
  (key) => `${key}%00.png`,
  (key) => `${key}?download=x`,
  (key) => `x/../${key}`,
  (key) => `${randomUUID()}/../${key}`,
  (key) => `${randomUUID()}/%2e%2e/${key}`,
  (key) => `${randomUUID()}/..%2f${key}`,
  (key) => `../media/${key}`,
  (key) => key.slice(0, -5),
  (key) => key.split('/')[0] ?? '',
  () => '../../secrets.json',
  () => '..%2f..%2fsecrets.json',
  () => '%2e%2e/%2e%2e/postgres/PG_VERSION',
  () => 'x'.repeat(5_000),
  () => '%',
  () => '%ff%fe',
]

/** Bodies of calls on objects that are not the stranger's. */
function bodiesFor({ hidden, members }: Knowledge): fc.Arbitrary<string | undefined> {
  const key = fc.constantFrom(...hidden)
  const member = fc.constantFrom(...members)
  const json = fc.oneof(
    fc.record({
      expiresIn: fc.constantFrom(1, 60, 3_600, -1, 1e9, '60', null),
      paths: fc.array(key, { maxLength: 5 }),
    }),
    fc.record({ expiresIn: fc.constantFrom(60, 3_600) }),
    fc.record({ prefixes: fc.array(key, { maxLength: 5 }) }),
    fc.record({
      prefix: fc.oneof(member, key, fc.constantFrom('', '%', '_', "' or true--", '\0')),
      limit: fc.constantFrom(1, 100, 1_000, -1, 1e9),
      offset: fc.constantFrom(0, 5, -1),
      sortBy: fc.record({
        column: fc.constantFrom('name', 'created_at', 'metadata', 'name; select 1'),
        order: fc.constantFrom('asc', 'desc', 'asc, id'),
      }),
    }),
    fc.record({
      bucketId: fc.constant('media'),
      sourceKey: key,
      destinationKey: key,
      destinationBucket: fc.constant('media'),
    }),
    fc.json({ maxDepth: 2 }),
  )
  return fc.option(
    fc.oneof(
      json.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
      fc.string(),
    ),
    { nil: undefined },
  )
}

function halfOf<T>(some: readonly T[], others: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(fc.constantFrom(...some), fc.constantFrom(...others))
}

/** Requests with which a stranger could try to reach, replace or delete objects. */
export function hostileRequests(knowledge: Knowledge): fc.Arbitrary<RawRequest> {
  const { hidden, linkTokens, authorizations } = knowledge
  const path = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(halfOf(SERVED_PREFIXES, OTHER_PREFIXES), fc.constantFrom(...hidden), halfOf(EXACT, SPELLINGS))
        .map(([prefix, key, spell]) => prefix + spell(key)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...ENDPOINTS) },
  )
  const query = fc.option(fc.constantFrom(...linkTokens), { nil: undefined })
  const headers = fc.record(
    {
      authorization: fc.constantFrom(...authorizations),
      'content-type': fc.constantFrom(
        'application/json',
        'image/webp',
        'multipart/form-data; boundary=x',
        'text/html',
      ),
      range: fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=0-0,1-1', `bytes=${'9'.repeat(40)}-`),
      'if-none-match': fc.constantFrom('*', '""'),
      'x-upsert': fc.constant('true'),
      'x-forwarded-prefix': fc.constant('/storage/v1'),
      'x-http-method-override': fc.constantFrom('GET', 'PATCH', 'DELETE'),
    },
    { requiredKeys: [] },
  )
  return fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
    path: fc
      .tuple(path, query)
      .map(([text, token]) => `/storage/v1/${text}${token === undefined ? '' : `?token=${token}`}`),
    headers: headers.map((values) => ({ ...values })),
    body: bodiesFor(knowledge),
  })
}
