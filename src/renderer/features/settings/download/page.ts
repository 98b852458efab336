import { cameraLine } from '#/renderer/lib/content/camera'
import { dateAndTime } from '#/renderer/lib/content/time'
import { formatCount, texts } from '#/renderer/lib/texts'
import type { AboutPost, DataExport, Person, Since } from './data-export'
import { html, Markup } from './html'
import { isolated, paragraph, website as websiteOf } from './member-text'

/** Styles of the exported page: the app's colours and shapes, with system fonts. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#fbf9f6, #131110); --raised: light-dark(#fff, #1c1917);
  --ink: light-dark(#1c1917, #f3efea); --quiet: light-dark(#6b635b, #a69d93); --line: light-dark(#e8e2da, #2c2723);
  --accent: light-dark(#c8321f, #ff5a45); --serif: "Fraunces", Georgia, "Times New Roman", serif; }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 64px; }
@media (prefers-reduced-motion) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 "Inter", system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 1680px; margin: 0 auto; padding: 0 24px; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 16px 32px; padding-top: 56px; padding-bottom: 32px; }
header > div { flex: 1; min-width: 260px; }
.face { width: 112px; height: 112px; border-radius: 50%; object-fit: cover; background: var(--line); }
.letter { display: grid; place-items: center; font: 600 46px/1 var(--serif); color: var(--quiet); text-transform: uppercase; }
h1 { margin: 0 0 4px; font: 500 34px/1.15 var(--serif); }
h2 { margin: 48px 0 16px; font: 500 25px/1.2 var(--serif); }
h3 { margin: 24px 0 8px; font-size: 15px; }
p { margin: 0; white-space: pre-wrap; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.quiet, time { color: var(--quiet); font-size: 13px; }
nav { position: sticky; top: 0; z-index: 1; border-block: 1px solid var(--line); background: var(--paper); }
nav ul { display: flex; overflow-x: auto; white-space: nowrap; gap: 2px 4px; max-width: 1680px; margin: 0 auto; padding: 8px 16px; list-style: none; }
nav a { display: block; padding: 5px 10px; border-radius: 8px; color: var(--ink); font-weight: 500; text-decoration: none; }
nav a:hover { background: var(--line); }
.cards { columns: 3 400px; column-gap: 20px; }
.card { break-inside: avoid; margin: 0 0 20px; overflow: hidden; border: 1px solid var(--line); border-radius: 14px; background: var(--raised); }
.card img, .card video { display: block; width: 100%; height: auto; max-height: 1400px; object-fit: contain; background: var(--line); }
.card a + a img { border-top: 1px solid var(--line); }
.card figcaption { display: grid; gap: 6px; padding: 14px 16px; }
.card .captions { display: block; padding: 8px 16px 0; font-size: 13px; }
.card .big { font: 400 19px/1.4 var(--serif); }
.rows, details { max-width: 1040px; }
.rows { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 14px; background: var(--raised); }
.rows li { padding: 12px 16px; content-visibility: auto; contain-intrinsic-size: auto 64px; }
.rows li + li { border-top: 1px solid var(--line); }
.names { columns: 220px; margin: 0; padding: 0; list-style: none; }
.names li { padding: 3px 0; break-inside: avoid; }
details { margin-bottom: 12px; border: 1px solid var(--line); border-radius: 14px; background: var(--raised); }
summary { padding: 14px 16px; font-weight: 600; cursor: pointer; }
.talk { display: grid; gap: 8px; margin: 0; padding: 4px 16px 18px; list-style: none; }
.talk li { max-width: min(78%, 560px); padding: 9px 13px; border: 1px solid var(--line); border-radius: 14px; justify-self: start;
  content-visibility: auto; contain-intrinsic-size: auto 60px; }
.talk .mine { justify-self: end; border-color: transparent; background: var(--line); }
.talk img { max-width: 100%; border-radius: 8px; }
.none { color: var(--quiet); }
footer { padding-top: 56px; padding-bottom: 56px; color: var(--quiet); font-size: 13px; }
@media print {
  :root { color-scheme: light; }
  nav { display: none; }
  .cards { columns: 2; }
  .card img { max-height: 85vh; }
  .rows li, .talk li { content-visibility: visible; break-inside: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
`

const words = texts.download.page

function time(iso: string): Markup {
  return html`<time datetime="${iso}">${dateAndTime(iso)}</time>`
}

/** The page's content security policy: no scripts, no requests except for files next to it, and only its own style. */
async function policy(): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(PAGE_STYLE))
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return `default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
}

function headOf({ profile }: DataExport, csp: string): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${words.title(profile.username)}</title>
<style>${new Markup(PAGE_STYLE)}</style>
</head>
<body>
`
}

function headerOf({ profile }: DataExport): Markup {
  const { username, full_name, bio, website, picture } = profile
  return html`<header>
${
  picture === null
    ? html`<span class="face letter" aria-hidden="true">${[...username][0] ?? ''}</span>`
    : html`<img class="face" src="${picture}" alt="">`
}
<div>
<h1>${username}</h1>
${full_name === '' ? null : html`<p><b>${isolated(full_name)}</b></p>`}
${bio === '' ? null : paragraph(bio)}
${website === null ? null : websiteOf(website)}
<p class="quiet">${[
    texts.profile.posts(profile.post_count),
    texts.profile.followers(profile.follower_count),
    texts.profile.following(profile.following_count),
  ].join(' · ')}</p>
<p class="quiet">${profile.email} · ${words.memberSince} ${time(profile.created_at)}</p>
</div>
</header>
`
}

const SECTIONS = ['posts', 'stories', 'messages', 'comments', 'saved', 'likes', 'people'] as const
type Section = (typeof SECTIONS)[number]

function countOf(section: Section, { posts, stories, conversations, comments, lists }: DataExport): number {
  const lengths = {
    posts: posts.length,
    stories: stories.length,
    messages: conversations.length,
    comments: comments.length,
    saved: lists.saved.length,
    likes: lists.likes.length + lists.comment_likes.length,
    people: [
      lists.followers,
      lists.following,
      lists.hashtags,
      lists.requested,
      lists.blocked,
      lists.muted,
    ].flat().length,
  }
  return lengths[section]
}

function navOf(data: DataExport): Markup {
  const items = SECTIONS.map(
    (section) =>
      html`<li><a href="#${section}">${words[section]} <span class="quiet">${formatCount(countOf(section, data))}</span></a></li>`,
  )
  return html`<nav aria-label="${words.contents}"><ul>${items}</ul></nav>
<main>
`
}

/** The size of a picture, so that columns keep their shape while it is loaded. */
function sizeOf(width: number | null, height: number | null): Markup | null {
  return width === null || height === null ? null : html` width="${width}" height="${height}"`
}

type ExportedMedia = DataExport['posts'][number]['photos'][number]

/** Captions are a link: a page that is opened from a folder may not load them into its videos. */
function mediaOf({ picture, video, captions, alt_text, width, height }: ExportedMedia): Markup {
  const size = sizeOf(width, height)
  if (video === undefined)
    return html`<a href="${picture ?? ''}"><img src="${picture ?? ''}" alt="${alt_text ?? words.photo}"${size} loading="lazy" decoding="async"></a>`
  const poster = picture === null ? null : html` poster="${picture}"`
  return html`<video src="${video}" aria-label="${alt_text ?? words.video}"${size}${poster} controls preload="none"></video>
${captions === undefined ? null : html`<a class="captions" href="${captions}">${words.captions}</a>`}`
}

function postOf(post: DataExport['posts'][number]): Markup {
  const { content, photos, location, like_count, comment_count, created_at, edited_at } = post
  return html`<figure class="card">
${photos.map(mediaOf)}
<figcaption>
${content === '' ? null : paragraph(content, photos.length === 0 ? 'big' : '')}
${location === null ? null : html`<p class="quiet">${isolated(location)}</p>`}
${photos
  .map(({ camera }) => cameraLine(camera))
  .filter((line) => line !== '')
  .map((line) => html`<p class="quiet">${line}</p>`)}
<p class="quiet">${texts.post.likes(like_count)} · ${texts.post.comments(comment_count)}</p>
<div>${time(created_at)}${edited_at === null ? null : html`<span class="quiet">, ${texts.post.edited}</span>`}</div>
</figcaption>
</figure>
`
}

function storyOf({ content, media, media_type, created_at }: DataExport['stories'][number]): Markup {
  const shown =
    media === null
      ? null
      : media_type === 'video'
        ? html`<video src="${media}" controls preload="none"></video>`
        : html`<a href="${media}"><img src="${media}" alt="${words.photo}" loading="lazy" decoding="async"></a>`
  return html`<figure class="card">
${shown}
<figcaption>${content === null ? null : paragraph(content)}${time(created_at)}</figcaption>
</figure>
`
}

function nameOf(person: Person | null): string {
  return person?.username ?? words.somebody
}

function sharedWords(kind: string): string {
  return words.shared[kind as keyof typeof words.shared]
}

function messageOf(message: DataExport['conversations'][number]['messages'][number]): Markup {
  const { content, created_at, edited_at, photo, is_photo_missing, is_mine, is_unsent } = message
  const { answers_story, shared, forwarded } = message
  const reactions = [message.my_reaction, message.their_reaction].filter((each) => each !== null).join(' ')
  return html`<li class="${is_mine ? 'mine' : ''}">
${is_unsent ? html`<p class="none">${words.unsent}</p>` : null}
${answers_story ? html`<p class="quiet">${words.answersStory}</p>` : null}
${forwarded && !is_unsent ? html`<p class="quiet">${texts.messages.forwarded}</p>` : null}
${shared === null ? null : html`<p class="quiet">${sharedWords(shared.kind)}</p>`}
${photo === null ? null : html`<a href="${photo}"><img src="${photo}" alt="${words.photo}" loading="lazy" decoding="async"></a>`}
${is_photo_missing ? html`<p class="quiet">${texts.pictureNotShown}</p>` : null}
${content === '' ? null : paragraph(content)}
<div>${time(created_at)}${edited_at === null ? null : html`<span class="quiet">, ${texts.post.edited}</span>`} ${reactions}</div>
</li>
`
}

/** One after another, because each takes time and the archive pauses between some of them. */
function* each<T>(items: readonly T[], markupOf: (item: T) => Markup): Generator<Markup> {
  for (const item of items) yield markupOf(item)
}

function* talkOf({ with: other, messages }: DataExport['conversations'][number]): Generator<Markup> {
  yield html`<details>
<summary>${nameOf(other)} <span class="quiet">${words.messageCount(messages.length)}</span></summary>
<ol class="talk">
`
  yield* each(messages, messageOf)
  yield html`</ol>
</details>
`
}

function aboutOf({ post_by }: AboutPost): string {
  return post_by === null ? words.hiddenPost : texts.post.by(post_by)
}

function likedCommentOf({ comment_by, created_at }: DataExport['lists']['comment_likes'][number]): Markup {
  const about = comment_by === null ? words.hiddenComment : words.commentBy(comment_by)
  return html`<li>${about} <span class="quiet">· ${time(created_at)}</span></li>
`
}

function peopleOf(title: string, people: Since[]): Markup {
  if (people.length === 0) return html``
  const items = people.map(
    ({ person }) =>
      html`<li>${nameOf(person)} <span class="quiet">${isolated(person?.full_name ?? '')}</span></li>
`,
  )
  return html`<h3>${title} <span class="quiet">${formatCount(people.length)}</span></h3>
<ul class="names">${items}</ul>
`
}

function hashtagsOf(hashtags: DataExport['lists']['hashtags']): Markup {
  if (hashtags.length === 0) return html``
  const items = hashtags.map(
    ({ tag }) => html`<li>${isolated(`#${tag}`)}</li>
`,
  )
  return html`<h3>${texts.explore.followed} <span class="quiet">${formatCount(hashtags.length)}</span></h3>
<ul class="names">${items}</ul>
`
}

/** Cards in one block of columns: columns are read downwards, so a block is not much higher than a window. */
const CARDS_IN_BLOCK = 12

function* cardsOf<T>(items: readonly T[], cardOf: (item: T) => Markup): Generator<Markup> {
  for (let first = 0; first < items.length; first += CARDS_IN_BLOCK) {
    yield html`<div class="cards">
`
    yield* each(items.slice(first, first + CARDS_IN_BLOCK), cardOf)
    yield html`</div>
`
  }
}

function* within(data: DataExport, section: Section): Generator<Markup> {
  const { posts, stories, conversations, comments, lists } = data
  switch (section) {
    case 'posts':
    case 'stories':
      yield* section === 'posts' ? cardsOf(posts, postOf) : cardsOf(stories, storyOf)
      return
    case 'messages':
      for (const conversation of conversations) yield* talkOf(conversation)
      return
    case 'people':
      yield peopleOf(texts.people.lists.followers, lists.followers)
      yield peopleOf(texts.people.lists.following, lists.following)
      yield hashtagsOf(lists.hashtags)
      yield peopleOf(texts.people.requested, lists.requested)
      yield peopleOf(texts.safety.lists.blocked, lists.blocked)
      yield peopleOf(texts.safety.lists.muted, lists.muted)
      return
    case 'comments':
      yield html`<ul class="rows">
`
      for (const comment of comments)
        yield html`<li>${paragraph(comment.content)}<span class="quiet">${aboutOf(comment)} · ${time(comment.created_at)}</span></li>
`
      yield html`</ul>
`
      return
    default:
      yield html`<ul class="rows">
`
      for (const row of lists[section])
        yield html`<li>${aboutOf(row)} <span class="quiet">· ${time(row.created_at)}</span></li>
`
      if (section === 'likes') yield* each(lists.comment_likes, likedCommentOf)
      yield html`</ul>
`
  }
}

function* sectionsOf(data: DataExport, csp: string, now: Date): Generator<Markup> {
  yield headOf(data, csp)
  yield headerOf(data)
  yield navOf(data)
  for (const section of SECTIONS) {
    yield html`<section id="${section}">
<h2>${words[section]}</h2>
`
    if (countOf(section, data) === 0)
      yield html`<p class="none">${words.nothing}</p>
`
    else yield* within(data, section)
    yield html`</section>
`
  }
  yield html`</main>
<footer>${words.written} ${time(now.toISOString())}</footer>
</body>
</html>
`
}

/**
 * Renders the exported page in parts, because it can be long. It has no scripts, and escapes all content of members.
 */
export async function renderPage(data: DataExport, now: Date): Promise<Iterable<string>> {
  const csp = await policy()
  return (function* () {
    for (const { text } of sectionsOf(data, csp, now)) yield text
  })()
}
