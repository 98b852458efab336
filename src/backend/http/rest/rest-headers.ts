import { NotServedError, refuse } from './scanner'

const ONE_OBJECT = 'application/vnd.pgrst.object+json'

/** Preferences that are forwarded unchanged. */
const PREFERENCES = [
  'return=minimal',
  'return=representation',
  'return=headers-only',
  'resolution=ignore-duplicates',
  'missing=default',
  'handling=lenient',
]

/** Builds lite's headers. All other headers are dropped. */
export function restHeaders(given: Headers, hasBody: boolean): Headers {
  checkProfiles(given)
  if (given.has('range')) refuse("Rows are limited by 'limit' and 'offset' only")
  if (hasBody) checkContentType(given)
  const headers = new Headers({ accept: acceptedType(given.get('accept')) })
  for (const name of ['apikey', 'authorization']) {
    const value = given.get(name)
    if (value !== null) headers.set(name, value)
  }
  if (hasBody) headers.set('content-type', 'application/json')
  const prefer = preferences(given.get('prefer'))
  if (prefer !== '') headers.set('prefer', prefer)
  return headers
}

function checkProfiles(given: Headers): void {
  for (const name of ['accept-profile', 'content-profile']) {
    if (!['public', null].includes(given.get(name))) {
      throw new NotServedError(406, 'PGRST106', 'The schema must be one of the following: public')
    }
  }
}

function checkContentType(given: Headers): void {
  const type = given.get('content-type') ?? ''
  if (!/^application\/json(; *charset=utf-8)?$/i.test(type)) {
    throw new NotServedError(415, 'PGRST102', 'The body of a request is application/json')
  }
}

/** JSON, or a single JSON object for `.single()`. CSV and query plans are not served. */
function acceptedType(accept: string | null): string {
  const types = (accept ?? '*/*').split(',').map((one) => one.trim().toLowerCase())
  const plain = types.map((one) => one.replace(/;q=[\d.]+$/, ''))
  if (plain.includes(ONE_OBJECT)) return ONE_OBJECT
  if (plain.some((one) => ['*/*', 'application/*', 'application/json'].includes(one)))
    return 'application/json'
  throw new NotServedError(406, 'PGRST107', 'None of these media types are available')
}

/**
 * The preferences that are served. Counts are always exact, because the planner's estimates count rows that row security
 * hides. Unknown preferences are ignored, as HTTP requires.
 */
function preferences(prefer: string | null): string {
  const tokens = (prefer ?? '').split(',').map((one) => one.trim())
  if (tokens.includes('handling=strict')) refuse('Strict handling of preferences is not served', 'PGRST122')
  if (tokens.some((one) => one.startsWith('resolution=') && one !== 'resolution=ignore-duplicates')) {
    refuse('An upsert ignores duplicates; merging them is not served', 'PGRST122')
  }
  const served = PREFERENCES.filter((one) => tokens.includes(one))
  const isCounted = tokens.some((one) => /^count=(exact|planned|estimated)$/.test(one))
  return [...served, ...(isCounted ? ['count=exact'] : [])].join(', ')
}
