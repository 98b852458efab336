import { expect, test } from 'vitest'
import type { DataExport } from '#/renderer/features/settings/download/data-export'
import { renderPage } from '#/renderer/features/settings/download/page'
import { texts } from '#/renderer/lib/texts'

const AT = '2026-03-01T12:00:00Z'
const ada = { person: { username: 'ada', full_name: 'Ada Berg' }, created_at: AT }
const NO_LISTS = {
  likes: [],
  comment_likes: [],
  saved: [],
  followers: [],
  following: [],
  hashtags: [],
  requested: [],
  blocked: [],
  muted: [],
}

const PROFILE = {
  username: 'mara',
  full_name: '',
  email: 'mara@example.com',
  bio: '',
  website: null,
  picture: null,
  post_count: 1,
  follower_count: 2,
  following_count: 0,
  created_at: AT,
}

const EMPTY: DataExport = {
  profile: PROFILE,
  posts: [],
  stories: [],
  comments: [],
  lists: NO_LISTS,
  conversations: [],
}

const MESSAGE = {
  id: 'm',
  content: '',
  created_at: AT,
  edited_at: null,
  forwarded: false,
  photo: null,
  is_photo_missing: false,
  is_mine: true,
  is_unsent: false,
  answers_story: false,
  shared: null,
  my_reaction: null,
  their_reaction: null,
}

async function draw(content: Partial<DataExport>): Promise<string> {
  return [...(await renderPage({ ...EMPTY, ...content }, new Date(AT)))].join('')
}

/** The text of each element with this tag. */
function textsIn(page: string, tag: string): string[] {
  const found = page.matchAll(new RegExp(`<${tag}(?: [^>]*)?>(.*?)</${tag}>`, 'gs'))
  return [...found].map(([, inner = '']) =>
    inner
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

test('SAFE-05 the exported page has a table of contents and a section for each kind, including empty ones', async () => {
  const page = await draw({})
  expect(page.match(/<nav aria-label="(.*?)">/)?.[1]).toBe('Contents')
  const sections = ['Posts', 'Stories', 'Messages', 'Comments', 'Saved', 'Likes', 'People']
  expect(textsIn(page, 'a')).toEqual(sections.map((section) => `${section} 0`))
  expect(textsIn(page, 'h2')).toEqual(sections)
  expect(page.match(/Nothing here\./g)).toHaveLength(sections.length)
  expect(textsIn(page, 'header')[0]).toContain(
    '1 post · 2 followers · 0 following mara@example.com · member since 1 March 2026',
  )
  expect(textsIn(page, 'footer')[0]).toContain('Written by Vignette on 1 March 2026')
})

test('SAFE-05 a video of a post is shown with its cover and a link to its captions', async () => {
  const still = { alt_text: 'Waves', camera: null, width: 40, height: 30 }
  const page = await draw({
    posts: [
      {
        id: 'p',
        content: '',
        location: null,
        like_count: 0,
        comment_count: 0,
        created_at: AT,
        edited_at: null,
        photos: [
          { ...still, picture: 'posts/a.webp', video: 'posts/a.mp4', captions: 'posts/a.vtt' },
          { ...still, picture: null, video: 'posts/b.mp4', alt_text: null },
        ],
      },
    ],
  })
  expect(page).toContain(
    '<video src="posts/a.mp4" aria-label="Waves" width="40" height="30" poster="posts/a.webp" controls',
  )
  expect(page).toContain(`href="posts/a.vtt">${texts.download.page.captions}</a>`)
  expect(page).toContain(
    `<video src="posts/b.mp4" aria-label="${texts.download.page.video}" width="40" height="30" controls`,
  )
  expect(page.match(/\.vtt/g)).toHaveLength(1)
})

test('SAFE-05 the exported page marks hidden posts, unsent messages and members who are gone', async () => {
  const about = (post_by: string | null) => ({ post_id: 'p', created_at: AT, post_by })
  const page = await draw({
    lists: {
      ...NO_LISTS,
      likes: [about('ada'), about(null)],
      comment_likes: [
        { comment_id: 'c', created_at: AT, comment_by: 'ben' },
        { comment_id: 'd', created_at: AT, comment_by: null },
      ],
      followers: [ada],
      following: [{ person: null, created_at: AT }],
      hashtags: [{ tag: 'fog', created_at: AT }],
      blocked: [ada],
      muted: [ada],
      requested: [ada],
    },
    conversations: [
      {
        id: 'c',
        with: null,
        folder: 'inbox',
        pinned_at: null,
        cleared_at: null,
        messages: [
          { ...MESSAGE, is_unsent: true },
          { ...MESSAGE, content: 'Lovely', edited_at: AT, answers_story: true, their_reaction: '❤️' },
          { ...MESSAGE, photo: 'messages/m.jpg', forwarded: true },
          { ...MESSAGE, shared: { kind: 'post', id: null } },
          { ...MESSAGE, is_photo_missing: true },
        ],
      },
    ],
  })
  const rows = textsIn(page, 'li')
  expect(rows.some((row) => row.startsWith('Post by ada ·'))).toBe(true)
  expect(rows.some((row) => row.startsWith('A post that is not shown to you any more ·'))).toBe(true)
  expect(rows.some((row) => row.startsWith('Comment by ben ·'))).toBe(true)
  expect(rows.some((row) => row.startsWith('A comment that is not shown to you any more ·'))).toBe(true)
  expect(textsIn(page, 'summary')).toEqual(['Member 5 messages'])
  const messages = textsIn(page, 'ol')[0]
  expect(messages).toContain('This message was unsent.')
  expect(messages).toContain('This picture cannot be shown.')
  expect(messages).toMatch(/Reply to a story Lovely .*, edited ❤️/)
  expect(messages).toContain('Sent a post')
  expect(messages).toContain('Forwarded')
  expect(page).toContain('<img src="messages/m.jpg" alt="Photo"')
  expect(rows).toContain('#fog')
  expect(textsIn(page, 'h3')).toEqual([
    'Followers 1',
    'Following 1',
    'Followed hashtags 1',
    'Requested 1',
    'Blocked members 1',
    'Muted members 1',
  ])
})

test('SAFE-05 CREATE-09 the exported page shows every photo of a post, with its alt text and camera details', async () => {
  const counts = { like_count: 0, comment_count: 0, created_at: AT, edited_at: null }
  const photos = [
    {
      picture: 'posts/p.jpg',
      alt_text: 'A "pier"',
      camera: { iso: 'ISO 400', camera: 'X100V <i>' },
      width: 1_500,
      height: 1_000,
    },
    { picture: 'posts/p-2.jpg', alt_text: null, camera: null, width: null, height: null },
  ]
  const page = await draw({ posts: [{ id: 'p', content: 'Fog', location: null, ...counts, photos }] })
  expect(page.match(/<img [^>]*>/g)).toEqual([
    '<img src="posts/p.jpg" alt="A &quot;pier&quot;" width="1500" height="1000" loading="lazy" decoding="async">',
    '<img src="posts/p-2.jpg" alt="Photo" loading="lazy" decoding="async">',
  ])
  expect(page).toContain('<p dir="auto">Fog</p>')
  // CREATE-09
  expect(page).toContain('<p class="quiet">X100V &lt;i&gt;\u00a0· ISO\u00a0400</p>')
})

test('SAFE-05 FEED-21 posts stand in blocks of columns, newest first, and none is divided between two pages', async () => {
  const posts = Array.from({ length: 30 }, (_, index) => ({
    id: `${index}`,
    content: `Post ${index}`,
    location: null,
    like_count: 0,
    comment_count: 0,
    created_at: AT,
    edited_at: null,
    photos: [],
  }))
  const page = await draw({ posts })
  const [, ...blocks] = page.split('<div class="cards">')
  expect(blocks.map((block) => block.match(/Post \d+/g)?.length)).toEqual([12, 12, 6])
  expect(page.match(/Post \d+/g)).toEqual(posts.map(({ content }) => content))
  expect(page).toMatch(/\.cards \{ columns: 3 400px;/)
  expect(page).toMatch(/\.card \{ break-inside: avoid;/)
})

test('ACC-04 the page has the links of the app, with the hosts that they lead to', async () => {
  const text = 'שלום https://en.wikipedia.org/wiki/Set_(mathematics), “https://аррӏе.com” <b>'
  const links =
    '<a href="https://en.wikipedia.org/wiki/Set_(mathematics)" dir="ltr" rel="noreferrer">https://en.wikipedia.org/wiki/Set_(mathematics)</a>' +
    ', “<a href="https://xn--80ak6aa92e.com/" dir="ltr" rel="noreferrer">https://xn--80ak6aa92e.com</a>” &lt;b&gt;'
  const page = await draw({
    profile: {
      ...PROFILE,
      full_name: 'Ada\u2069\u202e',
      bio: text,
      website: 'https://google.com@example.com',
    },
    comments: [{ id: 'c', parent_id: null, post_id: 'p', content: text, post_by: 'ada', created_at: AT }],
    stories: [{ id: 's', content: text, media: null, media_type: 'image', created_at: AT }],
  })
  expect(page.split(`<p dir="auto">שלום ${links}</p>`)).toHaveLength(4)
  expect(page).toContain('<bdi>Ada\u202e</bdi>')
  expect(page).toContain('<p><bdi>https://google.com@example.com</bdi></p>')
})

test('SAFE-05 each message and post is made when it is written, because a text of others may take long', async () => {
  const read: string[] = []
  const message = (id: string) => ({
    ...MESSAGE,
    id,
    get content() {
      read.push(id)
      return id
    },
  })
  const conversation = { id: 'c', with: null, folder: 'inbox' as const, pinned_at: null, cleared_at: null }
  const data = {
    ...EMPTY,
    conversations: [{ ...conversation, messages: ['message 1', 'message 2', 'message 3'].map(message) }],
  }
  for (const part of await renderPage(data, new Date(AT))) if (part.includes('message 1')) break
  expect(new Set(read)).toEqual(new Set(['message 1']))
})

test('MSG-03 a text has as many links as the app shows', async () => {
  const content = 'http://a.b/('.repeat(200)
  const page = await draw({
    comments: [{ id: 'c', parent_id: null, post_id: 'p', content, post_by: 'ada', created_at: AT }],
  })
  expect(page.match(/href="http:\/\/a\.b\/"/g)).toHaveLength(100)
})
