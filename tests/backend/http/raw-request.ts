import type { Backend } from '#/backend/start/start-backend'

export interface RawRequest {
  path: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: unknown
  /** A body that is sent as it is. ASCII. */
  text?: string
}

/** Formats a request for a raw socket. */
export function requestText({ port, publishableKey }: Backend, request: RawRequest): string {
  const body = request.text ?? (request.body === undefined ? '' : JSON.stringify(request.body))
  const headers = {
    host: `127.0.0.1:${port}`,
    apikey: publishableKey,
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...request.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${request.method ?? 'GET'} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}
