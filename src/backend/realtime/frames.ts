import * as z from 'zod'
import { hasMoreValues } from '#/shared/json-values'

/** The only supported version: messages are arrays, and broadcasts are binary frames that contain JSON. */
export const PROTOCOL_VERSION = '2.0.0'

/** The event and JSON payload of a broadcast. `bytes` is forwarded unchanged. */
export interface BroadcastContent {
  event: string
  bytes: Buffer
  /** Only broadcasts from the database have an id. */
  id?: string
}

/** A message from a client. `payload` is not validated. */
export interface ClientMessage {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: unknown
  /** The broadcast of a binary frame. */
  content?: BroadcastContent
}

export type ServerMessage = Omit<ClientMessage, 'content'>

const KIND = { userBroadcastPush: 3, userBroadcast: 4 } as const
const JSON_ENCODING = 1

/** Bytes before the strings of a client's binary frame: kind, five lengths, encoding. */
const PUSH_HEADER = 7

// Replies repeat references and topics, which would fill the memory for a client that does not read.
const refSchema = z.string().max(64).nullable()
const nameSchema = z.string().max(255)
const messageSchema = z.tuple([refSchema, refSchema, nameSchema, nameSchema]).rest(z.unknown())

/** Null if the frame does not follow the protocol. */
export function decodeFrame(data: Buffer, isBinary: boolean): ClientMessage | null {
  if (isBinary) return decodeBinary(data)
  const found = messageSchema.safeParse(parseJson(data))
  if (!found.success) return null
  const [joinRef, ref, topic, event, payload] = found.data
  return { joinRef, ref, topic, event, payload }
}

function decodeBinary(frame: Buffer): ClientMessage | null {
  if (frame.length < PUSH_HEADER || frame[0] !== KIND.userBroadcastPush) return null
  if (frame[PUSH_HEADER - 1] !== JSON_ENCODING) return null
  let offset = PUSH_HEADER
  const strings: string[] = []
  // Join reference, reference, topic, event of the broadcast, and metadata, which is unused.
  for (const length of frame.subarray(1, PUSH_HEADER - 1)) {
    if (offset + length > frame.length) return null
    strings.push(frame.toString('utf8', offset, offset + length))
    offset += length
  }
  const [joinRef = '', ref = '', topic = '', event = ''] = strings
  if (!refSchema.safeParse(joinRef).success || !refSchema.safeParse(ref).success) return null
  const bytes = frame.subarray(offset)
  if (parseJson(bytes) === undefined) return null
  const content: BroadcastContent = { event, bytes }
  return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload: null, content }
}

/** Values of a frame; a join has some thirty. */
const VALUES_MAX = 200

/** Undefined if it is not JSON, or has too many values. */
function parseJson(bytes: Buffer): unknown {
  if (hasMoreValues(bytes, VALUES_MAX)) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

export function encodeText({ joinRef, ref, topic, event, payload }: ServerMessage): string {
  return JSON.stringify([joinRef, ref, topic, event, payload])
}

/** Each length fits a byte, because topics and events of joined channels are short. */
export function encodeBroadcast(topic: string, { event, bytes, id }: BroadcastContent): Buffer {
  const metadata = id === undefined ? '' : JSON.stringify({ id })
  const strings = [topic, event, metadata].map((text) => Buffer.from(text))
  const lengths = strings.map(({ length }) => length)
  return Buffer.concat([Buffer.of(KIND.userBroadcast, ...lengths, JSON_ENCODING), ...strings, bytes])
}
