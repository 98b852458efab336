export interface Answer {
  status: number
  headers?: Record<string, string>
  text?: string
}

/** A Storage in memory with its uploads in pieces, behind XMLHttpRequest. */
export const tusServer = {
  uploads: new Map<string, { path: string; length: number; parts: Blob[] }>(),
  /** Complete files, by their path. */
  objects: new Map<string, Blob>(),
  requests: [] as string[],
  /** Whether the page no longer gets answers: it has ended. */
  isGone: () => false,
  tokens: [] as (string | undefined)[],
  metadata: '',
  location: (id: string) => `http://wrong.example/storage/v1/upload/resumable/${id}`,
  /** Answers a request instead of the server; 'cut' cuts the connection after some bytes of its body. */
  instead: (_method: string, _headers: Readonly<Record<string, string>>): Answer | 'cut' | null => null,
}

export const offsetOf = (id: string) =>
  tusServer.uploads.get(id)?.parts.reduce((bytes, { size }) => bytes + size, 0) ?? 0

function answer(method: string, id: string, headers: Record<string, string>, body: Blob | undefined): Answer {
  if (headers['Tus-Resumable'] !== '1.0.0') return { status: 412 }
  if (method === 'POST') {
    const created =
      tusServer
        .location(`u${tusServer.uploads.size + 1}`)
        .split('/')
        .at(-1) ?? ''
    tusServer.metadata = headers['Upload-Metadata'] ?? ''
    const path = Buffer.from(/objectName (\S+?),/.exec(tusServer.metadata)?.[1] ?? '', 'base64').toString()
    tusServer.uploads.set(created, { path, length: Number(headers['Upload-Length']), parts: [] })
    return { status: 201, headers: { Location: tusServer.location(created) } }
  }
  const upload = tusServer.uploads.get(id)
  if (upload === undefined) return { status: 404 }
  if (method === 'PATCH') {
    if (Number(headers['Upload-Offset']) !== offsetOf(id)) return { status: 409 }
    upload.parts.push(body ?? new Blob())
    if (offsetOf(id) === upload.length) tusServer.objects.set(upload.path, new Blob(upload.parts))
    return { status: 204, headers: { 'Upload-Offset': String(offsetOf(id)) } }
  }
  const state = { 'Upload-Offset': String(offsetOf(id)), 'Upload-Length': String(upload.length) }
  return { status: 200, headers: state }
}

export class FakeRequest extends EventTarget {
  upload = new EventTarget()
  status = 0
  responseText = ''
  private method = ''
  private id = ''
  private path = ''
  private readonly headers: Record<string, string> = {}
  private received: Record<string, string> = {}
  private isAborted = false

  open(method: string, url: string) {
    this.method = method
    this.id = url.split('/upload/resumable/')[1] ?? ''
    this.path = url.split('/object/media/')[1] ?? ''
  }

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }

  getResponseHeader(name: string) {
    return this.received[name] ?? null
  }

  abort() {
    this.isAborted = true
    this.dispatchEvent(new Event('loadend'))
  }

  send(body?: Blob) {
    queueMicrotask(() => this.finish(body))
  }

  private answer(body: Blob | undefined): Answer {
    if (this.path === '') return answer(this.method, this.id, this.headers, body)
    tusServer.objects.set(this.path, body ?? new Blob())
    return { status: 200 }
  }

  private finish(body: Blob | undefined) {
    if (this.isAborted) return
    const { 'Upload-Offset': offset = '' } = this.headers
    tusServer.requests.push([this.method, this.id, offset].filter((part) => part !== '').join(' '))
    tusServer.tokens.push(this.headers.Authorization)
    const instead = tusServer.instead(this.method, this.headers)
    if (instead === 'cut') {
      const arrived = body?.slice(0, 1_000)
      if (arrived) tusServer.uploads.get(this.id)?.parts.push(arrived)
      this.dispatchEvent(new Event('error'))
    } else {
      const { status, headers = {}, text = '' } = instead ?? this.answer(body)
      if (tusServer.isGone()) return
      Object.assign(this, { status, responseText: text })
      this.received = headers
      const sent = { loaded: body?.size ?? 0, total: body?.size ?? 0 }
      if (body) this.upload.dispatchEvent(Object.assign(new Event('progress'), sent))
      if (!this.isAborted) this.dispatchEvent(new Event('load'))
    }
    this.dispatchEvent(new Event('loadend'))
  }
}

export function clearTusServer(): void {
  tusServer.uploads.clear()
  tusServer.objects.clear()
  Object.assign(tusServer, {
    requests: [],
    tokens: [],
    metadata: '',
    instead: () => null,
    isGone: () => false,
  })
  tusServer.location = (id) => `http://wrong.example/storage/v1/upload/resumable/${id}`
}
