import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeFrame, encodeBroadcast, encodeText } from '#/backend/realtime/frames'
import { parseJoin } from '#/backend/realtime/join'
import { broadcastFrame } from './raw-client'

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))

describe('frames', () => {
  test('any bytes are parsed or rejected without an error', () => {
    fc.assert(
      fc.property(bytes, fc.boolean(), (data, isBinary) => {
        const message = decodeFrame(data, isBinary)
        if (message === null) return
        expect(message).toMatchObject({ topic: expect.any(String), event: expect.any(String) })
      }),
    )
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => decodeFrame(Buffer.from(JSON.stringify(value)), false)).not.toThrow()
      }),
    )
    // Binary frames with a valid start.
    fc.assert(
      fc.property(bytes, (data) => {
        expect(() => decodeFrame(Buffer.concat([Buffer.from([3]), data]), true)).not.toThrow()
      }),
    )
  })

  test('the server parses the frames that it writes', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.jsonValue(), (topic, event, payload) => {
        const message = { joinRef: '1', ref: null, topic, event, payload }
        const sent = Buffer.from(encodeText(message))
        expect(decodeFrame(sent, false)).toEqual({ ...message, payload: JSON.parse(JSON.stringify(payload)) })
      }),
    )
  })

  test('the bytes of a broadcast are passed on unchanged', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (topic, event) => {
        const sent = broadcastFrame({ joinRef: '1', ref: '2', topic, event, payload: { a: 'ü' } })
        const message = decodeFrame(sent, true)
        expect(message).toMatchObject({ joinRef: '1', ref: '2', topic, event: 'broadcast' })
        const content = message?.content ?? { event: '', bytes: Buffer.of() }
        const frame = encodeBroadcast(topic, content)
        expect(frame.subarray(0, 5)).toEqual(
          Buffer.from([4, Buffer.byteLength(topic), Buffer.byteLength(event), 0, 1]),
        )
        expect(frame.subarray(5).toString()).toBe(`${topic}${event}{"a":"ü"}`)
      }),
    )
  })

  test('a frame of many values is rejected before it is parsed', () => {
    const values = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [n, 0]))
    const [few, many] = [values(100), values(7_800)]
    const text = (payload: object) =>
      decodeFrame(
        Buffer.from(encodeText({ joinRef: '1', ref: '2', topic: 'x', event: 'presence', payload })),
        false,
      )
    const broadcast = (payload: object) =>
      decodeFrame(broadcastFrame({ joinRef: '1', ref: '2', topic: 'x', event: 'typing', payload }), true)
    expect([text(few)?.payload, text(many)]).toEqual([few, null])
    expect([broadcast(few)?.event, broadcast(many)]).toEqual(['broadcast', null])
  })

  test('rejects frames of protocol version 1 and broadcasts of bytes', () => {
    const old = { join_ref: '1', ref: '1', topic: 'realtime:x', event: 'phx_join', payload: {} }
    expect(decodeFrame(Buffer.from(JSON.stringify(old)), false)).toBeNull()
    const frame = broadcastFrame({ joinRef: '1', ref: '2', topic: 'x', event: 'typing', payload: {} })
    expect(decodeFrame(frame, true)).not.toBeNull()
    frame[6] = 0
    expect(decodeFrame(frame, true)).toBeNull()
  })
})

test('any join payload is parsed or rejected without an error', () => {
  const read = (payload: unknown) => {
    try {
      expect(parseJoin(payload)).toMatchObject({
        isPrivate: expect.any(Boolean),
        presence: { enabled: expect.any(Boolean), key: expect.any(String) },
        subscriptions: expect.any(Array),
      })
    } catch (error) {
      expect(error).toMatchObject({ name: 'JoinError' })
    }
  }
  const pieces = fc.constantFrom('recipient_id', '=', 'eq', '.', 'in', '(', ')', ',', '"', '\\', ' ', 'ü')
  const filter = fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.anything(), filter, (payload, text) => {
      read(payload)
      read({ config: payload, access_token: payload })
      read({ config: { postgres_changes: payload, presence: payload, broadcast: payload } })
      const binding = { event: 'INSERT', schema: 'public', table: 'messages', filter: text }
      read({ config: { postgres_changes: [payload, binding] } })
    }),
  )
})
