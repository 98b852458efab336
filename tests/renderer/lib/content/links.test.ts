import { domainToASCII } from 'node:url'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitRichText, type TextPart } from '#/renderer/lib/content/rich-text'
import { isDisguised, webAddress } from '#/renderer/lib/content/web-address'

type LinkPart = Extract<TextPart, { kind: 'link' }>

const linksIn = (text: string) => splitRichText(text).filter((part): part is LinkPart => part.kind === 'link')
const shownIn = (text: string) => linksIn(text).map(({ shown }) => shown)

/** The characters of the issue and the other ones that draw nothing. */
const HIDDEN = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /\p{Default_Ignorable_Code_Point}/u.test(character))

describe('ACC-04 where a link ends', () => {
  test.each([
    ['https://en.wikipedia.org/wiki/Set_(mathematics)', 'https://en.wikipedia.org/wiki/Set_(mathematics)'],
    ['(https://en.wikipedia.org/wiki/Set_(mathematics))', 'https://en.wikipedia.org/wiki/Set_(mathematics)'],
    ['(see https://example.com/a)', 'https://example.com/a'],
    ['[https://example.com/a[1]]', 'https://example.com/a[1]'],
    ['{https://example.com/{id}}', 'https://example.com/{id}'],
    ['https://example.com/a(b', 'https://example.com/a'],
    ['[https://example.com/(a](b)', 'https://example.com/'],
    ['https://example.com/a?b=c#d.', 'https://example.com/a?b=c#d'],
    ['https://example.com/a...', 'https://example.com/a'],
    ['https://example.com/a…', 'https://example.com/a'],
    ['“https://example.com/a”', 'https://example.com/a'],
    ['«https://example.com/a»', 'https://example.com/a'],
    ['„https://example.com/a“', 'https://example.com/a'],
    ['‘https://example.com/a’', 'https://example.com/a'],
    [`'https://example.com/a'`, 'https://example.com/a'],
    ['"https://example.com/a"', 'https://example.com/a'],
    ['<https://example.com/a>', 'https://example.com/a'],
    ['`https://example.com/a`', 'https://example.com/a'],
    [`https://example.com/rubik's_cube`, `https://example.com/rubik's_cube`],
    ['「https://example.com/a」', 'https://example.com/a'],
    ['（https://example.com/a）', 'https://example.com/a'],
    ['https://example.com。これは', 'https://example.com'],
    ['https://example.comを見て', 'https://example.com'],
    ['これhttps://example.com/aを見て', 'https://example.com/a'],
    ['https://example.com/a、b', 'https://example.com/a'],
    ['https://example.com/a에서', 'https://example.com/a'],
    ['https://example.com/aครับ', 'https://example.com/a'],
    ['https://example.com/a،ثم', 'https://example.com/a'],
    ['https://example.com/a؟', 'https://example.com/a'],
    ['https://example.comثم', 'https://example.com'],
    ['https://example.com/a।', 'https://example.com/a'],
    ['https://example.com/a🎉', 'https://example.com/a'],
    ['https://example.com: here', 'https://example.com'],
    ['HTTPS://Example.com/A', 'HTTPS://Example.com/A'],
    ['Http://example.com', 'Http://example.com'],
    ['http://localhost:3000/a', 'http://localhost:3000/a'],
    ['http://[::1]:80/', 'http://[::1]:80/'],
    ['http://192.168.0.1/', 'http://192.168.0.1/'],
    ['https://ja.wikipedia.org/wiki/日本', 'https://ja.wikipedia.org/wiki/日本'],
    ['https://ar.wikipedia.org/wiki/مصر', 'https://ar.wikipedia.org/wiki/مصر'],
    ['https://hi.wikipedia.org/wiki/हिन्दी', 'https://hi.wikipedia.org/wiki/हिन्दी'],
    ['https://ca.wikipedia.org/wiki/Col·legi', 'https://ca.wikipedia.org/wiki/Col·legi'],
    ['https://example.com/@ada#fog', 'https://example.com/@ada#fog'],
    ['https://example.com\u200bhere', 'https://example.com'],
    ['https://google.com\\@example.com', 'https://google.com'],
    ['https://google.com／example.com', 'https://google.com'],
    ['https://example.com%2eexample.net', 'https://example.com'],
  ])('%j has the link %s', (text, link) => {
    expect(shownIn(text)).toEqual([link])
    expect(linksIn(text)[0]?.text).toBe(link)
  })

  test.each([
    'https://google.com@example.com',
    'https://google.com:443@example.com/',
    'https://google.com\u00ad@example.com',
    'https://пользователь:x@example.com',
    'xhttps://example.com',
    'https://exa\u200bmple.com',
    'https://router/',
    'https://',
    'https:///example.com',
    'https://example.com:99999/',
    'javascript:alert(1)',
    'ftp://example.com',
  ])('%j has no link', (text) => {
    expect(linksIn(text)).toEqual([])
  })

  test('every invisible character and every change of direction ends a link, and is refused in a website', () => {
    expect(HIDDEN).toEqual(expect.arrayContaining([...'\u00ad\u200b\u200f\u202a\u202e\u2066\u2069']))
    for (const character of HIDDEN) {
      expect(shownIn(`https://example.com/a${character}b`)).toEqual(['https://example.com/a'])
      expect(shownIn(`https://example.com${character}.example.net`)).toEqual(['https://example.com'])
      for (const website of [`https://exam${character}ple.com`, `https://example.com/a${character}b`]) {
        expect(webAddress(website)).toBeNull()
        expect(isDisguised(website)).toBe(true)
      }
    }
  })
})

/** Characters that a pattern may count both as marks and as hidden. */
const HIDDEN_MARKS = HIDDEN.filter((character) => /\p{M}/u.test(character))

/** Fails work that does not end, which would otherwise end no test run either. */
const ending = <T>(work: () => T): T => runInNewContext('work()', { work }, { timeout: 4_000 })

describe('ACC-04 a text that another member wrote to freeze its readers', () => {
  test('a hidden mark is not read in more than one way', () => {
    expect(HIDDEN_MARKS).toContain('\ufe0f')
    for (const mark of HIDDEN_MARKS) {
      const text = `https://${mark.repeat(100)}`
      expect(ending(() => splitRichText(text))).toEqual([{ kind: 'text', text }])
    }
  })

  test('brackets that nothing closes end each of many links', () => {
    const text = 'https://a.b/['.repeat(100)
    expect(shownIn(text)).toEqual(Array.from({ length: 100 }, () => 'https://a.b/'))
  })
})

describe('ACC-04 a host that can be read as another one is shown as punycode', () => {
  test.each([
    // One script, also in other letters than Latin
    'münchen.de',
    'MÜNCHEN.de',
    'straße.de',
    'ñandú.es',
    'việtnam.vn',
    'ışık.com.tr',
    'пример.рф',
    'пример.com',
    'ελλάδα.gr',
    'հայաստան.հայ',
    'ישראל.co.il',
    'مصر.com',
    'हिन्दी.com',
    'தமிழ்.com',
    'ไทยแลนด์.com',
    'ქართული.ge',
    '中文.com',
    // Scripts that one language uses together
    '日本語ひらがなカタカナ.jp',
    'ラーメンtokyo.jp',
    'abc中文ㄅㄆ.tw',
    '한국漢字abc.kr',
    '서울.kr',
    // In its own top-level domain a name of look-alikes is no Latin name.
    'оса.рф',
    // Each label of one script
    'музей.münchen.de',
    'xn--80ak6aa92e.com',
  ])('%s is shown as it is written', (host) => {
    expect(shownIn(`https://${host}/a`)).toEqual([`https://${host}/a`])
  })

  test.each([
    // Mixed scripts: Cyrillic, Greek, Armenian with Latin; Japanese with Korean
    'pаypal.com',
    'раypal.com',
    'gοοgle.com',
    'gօօgle.com',
    'example.cоm',
    'ひ한.jp',
    // A whole name of look-alikes
    'аррӏе.com',
    'αν.com',
    'оса.com',
    // Latin letters outside the alphabets, marks on any letter, other digits, and signs
    'ɡoogle.com',
    'goog\u0323\u0332le.com',
    'example৭.com',
    '৪৭.com',
    'comノevil.jp',
  ])('%s is not shown as it is written', (host) => {
    const punycode = `https://${domainToASCII(host)}/a`
    expect(punycode).toContain('xn--')
    expect(linksIn(`https://${host}/a`)).toEqual([
      { kind: 'link', text: `https://${host}/a`, shown: punycode, url: punycode },
    ])
  })

  test.each([
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    ['1.1', '1.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
  ])('%s is shown as the host that it leads to', (host, shown) => {
    expect(shownIn(`https://${host}/a`)).toEqual([`https://${shown}/a`])
  })
})

describe('ACC-04 the whole text as one address', () => {
  test.each([
    ['https://example.com/a)', 'https://example.com/a)'],
    ['https://аррӏе.com', 'https://xn--80ak6aa92e.com'],
    ['https://example%2ecom/', 'https://example.com/'],
    ['https://router:8080', 'https://router:8080'],
    ['https://i❤.ws/a', 'https://xn--i-7iq.ws/a'],
  ])('%s is shown as %s', (text, shown) => {
    expect(webAddress(text)?.shown).toBe(shown)
  })

  test.each([
    'https://google.com@example.com',
    'https://google.com:443@example.com',
    'https://google.com\\@example.com',
    'https://exam\u200eple.com',
    'https://example.com a',
    'https://',
    'javascript:alert(1)',
  ])('%j is none', (text) => {
    expect(webAddress(text)).toBeNull()
  })
})

const pieces = fc.constantFrom(
  ...['https://', 'HTTP://', 'example.com', '.com', '@', ':', '/', '\\', '?', '#', '%2e', '(', ')', '[', ']'],
  ...[
    '「',
    '。',
    '”',
    "'",
    ' ',
    '\n',
    'аррӏе',
    'pаypal',
    'を',
    'مصر',
    'ノ',
    '1',
    '0x7f',
    'ｅ',
    '🎉',
    '\u0323',
  ],
  ...['\u00ad', '\u200b', '\u200d', '\u202e', '\u2066', '\u2069', '\ufe0f', '\u3164', '@ada', '#fog'],
)
const written = fc.oneof(
  fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join('')),
  fc.array(pieces, { maxLength: 8 }).map((parts) => `https://${parts.join('')}`),
  fc.string({ unit: 'binary', maxLength: 12 }).map((rest) => `https://example.com${rest}`),
)

test('ACC-04 a link has no hidden character, and shows the host and the path that a click opens', () => {
  fc.assert(
    fc.property(written, (text) => {
      const parts = splitRichText(text)
      expect(parts.map((part) => part.text).join('')).toBe(text)
      for (const { shown, url, text: own } of linksIn(text)) {
        expect(own).not.toMatch(/\p{Default_Ignorable_Code_Point}|[\s<>"]/u)
        const [opened, read] = [new URL(url), new URL(shown)]
        expect(read.href).toBe(opened.href)
        expect([opened.username, opened.password]).toEqual(['', ''])
        // Nobody has to know how browsers change an address to see the host in it.
        const host = /^https?:\/\/([^/?#:[]+)/i.exec(shown)?.[1]
        if (host !== undefined && /^[\0-\x7f]+$/.test(host)) expect(host.toLowerCase()).toBe(opened.hostname)
      }
    }),
    { numRuns: 3000 },
  )
})
