import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFilter } from '#/backend/realtime/changes/filters'
import {
  type BroadcastContent,
  decodeFrame,
  encodeBroadcast,
  encodeText,
  serializerVersion,
} from '#/backend/realtime/frames'
import { parseJoin } from '#/backend/realtime/join-config'

const versions = fc.constantFrom('1.0.0' as const, '2.0.0' as const)
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))

describe('frames', () => {
  test('any bytes are a message or none', () => {
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
    // Binary frames that begin as one should.
    fc.assert(
      fc.property(bytes, (data) => {
        expect(() => decodeFrame(Buffer.concat([Buffer.from([3]), data]), true)).not.toThrow()
      }),
    )
  })

  test('what one version writes, it reads', () => {
    fc.assert(
      fc.property(versions, fc.string(), fc.string(), fc.jsonValue(), (version, topic, event, payload) => {
        const message = { joinRef: '1', ref: null, topic, event, payload }
        const sent = Buffer.from(encodeText(version, message))
        expect(decodeFrame(sent, false)).toEqual({ ...message, payload: JSON.parse(JSON.stringify(payload)) })
      }),
    )
  })

  test('a broadcast fits its frame whatever its names', () => {
    fc.assert(
      fc.property(
        versions,
        fc.string({ unit: 'grapheme' }),
        fc.string({ maxLength: 400 }),
        (version, topic, event) => {
          const content: BroadcastContent = { event, encoding: 'json', bytes: Buffer.from('{"a":"ü"}') }
          const frame = encodeBroadcast(version, topic, content)
          if (typeof frame === 'string') {
            expect(frame).toContain(JSON.stringify({ type: 'broadcast', event, payload: { a: 'ü' } }))
            return
          }
          expect(frame?.subarray(0, 5)).toEqual(
            Buffer.from([4, Buffer.byteLength(topic), Buffer.byteLength(event), 0, 1]),
          )
          expect(frame?.subarray(5).toString()).toBe(`${topic}${event}{"a":"ü"}`)
        },
      ),
    )
    expect(encodeBroadcast('1.0.0', 'x', { event: 'e', encoding: 'binary', bytes: Buffer.of(1) })).toBeNull()
  })

  test('versions of one major number are one, and none is the first', () => {
    expect(['1.0.0', '1.2.3', null].map(serializerVersion)).toEqual(Array(3).fill('1.0.0'))
    expect(['2.0.0', '2.1.0'].map(serializerVersion)).toEqual(['2.0.0', '2.0.0'])
    expect(['', '3.0.0', '2', '12.0.0'].map(serializerVersion)).toEqual(Array(4).fill(null))
  })
})

test('a join is read from anything, and a filter is read or refused in words', () => {
  fc.assert(
    fc.property(fc.anything(), (payload) => {
      expect(parseJoin(payload)).toMatchObject({
        isPrivate: expect.any(Boolean),
        bindings: expect.any(Array),
      })
      expect(parseJoin({ config: payload, access_token: payload })).toMatchObject({ waitsForChanges: false })
      expect(
        parseJoin({ config: { postgres_changes: payload, presence: payload, broadcast: payload } }),
      ).toMatchObject({
        presence: { enabled: expect.any(Boolean), key: expect.any(String) },
      })
    }),
  )
  const pieces = fc.constantFrom(
    'a',
    '=',
    'eq',
    '.',
    'in',
    '(',
    ')',
    ',',
    '"',
    '\\',
    'not.',
    ' ',
    'is',
    'null',
    'ü',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
      try {
        for (const condition of parseFilter(parts.join(''))) expect(condition.operator).not.toBe('')
      } catch (error) {
        expect(error).toMatchObject({ name: 'FilterError', message: expect.stringMatching(/^Error parsing/) })
      }
    }),
  )
})
