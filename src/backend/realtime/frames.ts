import * as z from 'zod'

/** How messages are written: `1.0.0` as objects, `2.0.0` as arrays, with broadcasts in binary frames. */
export type SerializerVersion = '1.0.0' | '2.0.0'

/** What a client sent. `payload` is not yet checked. */
export interface ClientMessage {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: unknown
}

/** A broadcast's own event and payload, apart from the envelope; `bytes` is what is passed on. */
export interface BroadcastContent {
  event: string
  encoding: 'json' | 'binary'
  bytes: Buffer
}

export interface ServerMessage {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: unknown
}

const KIND = { userBroadcastPush: 3, userBroadcast: 4 } as const
const ENCODING = { binary: 0, json: 1 } as const

/** Bytes before the strings of a client's binary frame: kind, five lengths, encoding. */
const PUSH_HEADER = 7
const LENGTH_MAX = 255

const refSchema = z.union([z.string(), z.number().transform(String), z.null()]).default(null)
const arraySchema = z.tuple([refSchema, refSchema, z.string(), z.string()]).rest(z.unknown())
const objectSchema = z.object({
  join_ref: refSchema,
  ref: refSchema,
  topic: z.string(),
  event: z.string(),
  payload: z.unknown().optional(),
})

/** Phoenix's versions are compatible within a major one; a client that names none speaks the first. */
export function serializerVersion(asked: string | null): SerializerVersion | null {
  if (asked === null || /^1\.\d+\.\d+$/.test(asked)) return '1.0.0'
  return /^2\.\d+\.\d+$/.test(asked) ? '2.0.0' : null
}

/** Reads a frame, or null where it is none of the protocol's. */
export function decodeFrame(data: Buffer, isBinary: boolean): ClientMessage | null {
  if (isBinary) return decodeBinary(data)
  let value: unknown
  try {
    value = JSON.parse(data.toString('utf8'))
  } catch {
    return null
  }
  if (Array.isArray(value)) {
    const found = arraySchema.safeParse(value)
    if (!found.success) return null
    const [joinRef, ref, topic, event, payload] = found.data
    return { joinRef, ref, topic, event, payload }
  }
  const found = objectSchema.safeParse(value)
  if (!found.success) return null
  const { join_ref: joinRef, ref, topic, event, payload } = found.data
  return { joinRef, ref, topic, event, payload }
}

function decodeBinary(frame: Buffer): ClientMessage | null {
  if (frame.length < PUSH_HEADER || frame[0] !== KIND.userBroadcastPush) return null
  let offset = PUSH_HEADER
  const strings: string[] = []
  // Join reference, reference, topic, the broadcast's event and metadata, which hosted does not use either.
  for (const length of frame.subarray(1, PUSH_HEADER - 1)) {
    if (offset + length > frame.length) return null
    strings.push(frame.toString('utf8', offset, offset + length))
    offset += length
  }
  const [joinRef = '', ref = '', topic = '', event = ''] = strings
  const encoding = frame[PUSH_HEADER - 1] === ENCODING.json ? 'json' : 'binary'
  const content: BroadcastContent = { event, encoding, bytes: frame.subarray(offset) }
  if (encoding === 'json' && !isJson(content.bytes)) return null
  return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload: content }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'))
    return true
  } catch {
    return false
  }
}

/** Writes any message as a text frame. */
export function encodeText(
  version: SerializerVersion,
  { joinRef, ref, topic, event, payload }: ServerMessage,
): string {
  return version === '1.0.0'
    ? JSON.stringify({ join_ref: joinRef, ref, topic, event, payload })
    : JSON.stringify([joinRef, ref, topic, event, payload])
}

/**
 * Writes a broadcast for a version, or null where it cannot hold it: a text frame takes no bytes, and a binary one no
 * name above 255 bytes, which is then a text frame in the second version too.
 */
export function encodeBroadcast(
  version: SerializerVersion,
  topic: string,
  { event, encoding, bytes }: BroadcastContent,
): string | Buffer | null {
  const names = [Buffer.from(topic), Buffer.from(event)]
  if (version === '2.0.0' && names.every((name) => name.length <= LENGTH_MAX)) {
    const lengths = names.map((name) => name.length)
    return Buffer.concat([
      Buffer.from([KIND.userBroadcast, ...lengths, 0, ENCODING[encoding]]),
      ...names,
      bytes,
    ])
  }
  if (encoding === 'binary') return null
  const payload = { type: 'broadcast', event, payload: JSON.parse(bytes.toString('utf8')) as unknown }
  return encodeText(version, { joinRef: null, ref: null, topic, event: 'broadcast', payload })
}
