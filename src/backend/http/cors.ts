/** Headers that supabase-js reads, and the server's time, because the client's clock may be wrong. */
const EXPOSED =
  'accept-ranges, content-range, content-location, date, etag, preference-applied, x-supabase-api-version, retry-after'

const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE'

/** Lets a page of another, allowed origin read the response. Replaces lite's CORS headers. */
export function withCors(response: Response, origin: string | null): Response {
  const headers = new Headers(response.headers)
  for (const name of [...headers.keys()]) {
    if (name.startsWith('access-control-')) headers.delete(name)
  }
  allow(headers, origin)
  if (origin !== null) headers.set('access-control-expose-headers', EXPOSED)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}

/** The response to a CORS preflight; null if the request is not a preflight. */
export function preflightResponse(request: Request, origin: string | null): Response | null {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return null
  const headers = new Headers({ 'access-control-allow-methods': METHODS, 'access-control-max-age': '600' })
  const requested = request.headers.get('access-control-request-headers')
  if (requested !== null) headers.set('access-control-allow-headers', requested)
  if (request.headers.has('access-control-request-private-network')) {
    headers.set('access-control-allow-private-network', 'true')
  }
  allow(headers, origin)
  return new Response(null, { status: 204, headers })
}

function allow(headers: Headers, origin: string | null): void {
  headers.append('vary', 'Origin')
  if (origin !== null) headers.set('access-control-allow-origin', origin)
}
