import type { Sql } from 'postgres'
import * as z from 'zod'
import { loadOwnProfile } from '#/renderer/features/auth/queries'
import {
  countTopicPosts,
  loadFollowedHashtags,
  loadFollowsHashtag,
  loadPopularHashtags,
} from '#/renderer/features/explore/queries'
import { loadFeedPage, loadFollowingPage, loadNewest } from '#/renderer/features/feed/queries'
import { findConversation } from '#/renderer/features/messages/mutations/conversations'
import { loadActivity } from '#/renderer/features/messages/queries/activity'
import { loadFolders } from '#/renderer/features/messages/queries/folders'
import { countUnreadConversations } from '#/renderer/features/messages/queries/live'
import {
  loadConversationPage,
  loadConversations,
} from '#/renderer/features/messages/queries/load-conversations'
import {
  loadMessages,
  loadNewerMessages,
  photoLoader,
  quotedLoader,
  repliedStoryLoader,
} from '#/renderer/features/messages/queries/messages'
import { loadSharedPhotos } from '#/renderer/features/messages/queries/photos'
import { readMatches } from '#/renderer/features/messages/queries/search'
import { sharedLoaders } from '#/renderer/features/messages/queries/shared'
import { countUnread, loadNotificationGroups, loadRequests } from '#/renderer/features/notifications/queries'
import { loadMissed, loadUnreadIds } from '#/renderer/features/notifications/system/queries'
import { loadPeoplePage, loadRelations } from '#/renderer/features/people/queries/people'
import { loadPeopleToFollow } from '#/renderer/features/people/queries/suggestions'
import { loadComments, loadCommentsById } from '#/renderer/features/post/comments/queries'
import { loadPictures, loadPosts } from '#/renderer/features/post/queries'
import { loadCaptions } from '#/renderer/features/post/video/queries'
import { loadGridPage, loadProfile } from '#/renderer/features/profile/queries'
import { loadMutedIds, loadSafetyPage } from '#/renderer/features/safety/queries'
import * as own from '#/renderer/features/settings/download/queries'
import {
  loadMedia,
  loadMemberStories,
  loadStory,
  loadStripPage,
  loadViewers,
} from '#/renderer/features/stories/queries'
import { findMembers } from '#/renderer/lib/content/member-search'
import { findKnownUsernames } from '#/renderer/lib/content/mentions'
import { findTopics } from '#/renderer/lib/content/topic-search'
import type { Cursor } from '#/renderer/lib/queries/keyset'
import { createQueryClient } from '#/renderer/lib/queries/query-client'
import { FEED_PAGE, MESSAGES_PAGE } from '#/shared/limits'
import type { Cast } from './fill'

const client = createQueryClient()

/** Reads that intentionally find nothing. */
export const EMPTY_READS: ReadonlySet<string> = new Set([
  'SEARCH-01 nobody',
  'FEED-16 topics in the search, none',
  'FEED-16 topics in the search, all hidden',
  'FEED-22 posts in the search, none',
  'NOTE-01 notifications, amid likes of one post',
])

/** A read of the client. */
export interface Read {
  name: string
  /** The member that reads; defaults to the viewer. */
  as?: keyof Cast
  /** Calls a function of the renderer. */
  load: () => Promise<unknown>
}

/** The rows that the reads are about. */
export interface Subjects extends Cast {
  sql: Sql
}

const cursorRow = z.object({ at: z.string(), id: z.string() })

/** The cursor of a row far down a list: in the middle, but `most` rows down at most. */
async function cursorInto(
  sql: Sql,
  list: string,
  share = 0.5,
  most = 1_000_000,
): Promise<NonNullable<Cursor>> {
  const rows = await sql.unsafe(
    `select to_json(at)#>>'{}' as at, id::text from (${list}) as list (at, id) order by list.at desc, list.id desc
     offset (select least(floor(count(*) * ${share}), ${most}) from (${list}) as list) limit 1`,
  )
  const { at, id } = cursorRow.parse(rows[0])
  return { createdAt: at, id }
}

const idRows = z.array(z.object({ id: z.string() }))

async function ids(sql: Sql, query: string): Promise<string[]> {
  return idRows.parse([...(await sql.unsafe(query))]).map(({ id }) => id)
}

/** The first id of a result, which must exist. */
const first = ([one]: string[]): string => {
  if (one === undefined) throw new Error('The community lacks what a read is about')
  return one
}

/** Reads one page of the data download. */
function onePage(me: string, load: (reading: own.Reading) => Promise<unknown>): () => Promise<unknown> {
  return async () => {
    const enough = new AbortController()
    let count = 0
    await load({
      me,
      signal: enough.signal,
      onRead: (rows) => {
        count = rows
        enough.abort()
      },
    }).catch((cause: unknown) => {
      if (!enough.signal.aborted) throw cause
    })
    return Array.from({ length: count })
  }
}

/** Every read of the client: first pages, pages far down, and those of heavy members. */
export async function clientReads({ sql, viewer, heavy, keen, patient, calm }: Subjects): Promise<Read[]> {
  const md5 = (text: string) => `md5('${text}')::uuid`
  const post = first(await ids(sql, `select id from posts where id = ${md5('heavy 1')}`))
  const longest = first(await ids(sql, `select id from conversations where id = ${md5('mine 0')}`))
  const theirStory = first(await ids(sql, `select id from stories where id = ${md5('mine 1')}`))
  const newest = await ids(
    sql,
    `select id from posts where audience = 'public' order by created_at desc, id desc limit ${FEED_PAGE}`,
  )
  const video = first(
    await ids(
      sql,
      `select media_path as id from post_media join posts on posts.id = post_id
       where audience = 'public' and media_path is not null limit 1`,
    ),
  )
  const people = await ids(
    sql,
    `select ${`md5('member ' || n)::uuid`} as id from generate_series(1, 30) as n`,
  )
  const messages = await ids(
    sql,
    `select ${`md5('message ' || n)::uuid`} as id from generate_series(501, 520) as n`,
  )
  const photos = await ids(sql, `select ${`md5('photo ' || n)::uuid`} as id from generate_series(1, 4) as n`)

  const posts = 'select created_at, id from posts'
  const page500 = await cursorInto(sql, posts, 0.5, 499 * FEED_PAGE)
  const oldest = await cursorInto(sql, posts, 0.9)
  const thread = first(await ids(sql, `select id from comments where id = ${md5('thread 1')}`))
  const reply = await cursorInto(sql, `select created_at, id from comments where parent_id = '${thread}'`)
  const comment = await cursorInto(sql, `select created_at, id from comments where post_id = '${post}'`)
  const like = await cursorInto(sql, `select created_at, user_id from likes where post_id = '${post}'`)
  const follower = await cursorInto(
    sql,
    `select created_at, follower_id from follows where following_id = '${heavy}'`,
  )
  const followed = await cursorInto(
    sql,
    `select created_at, following_id from follows where follower_id = '${viewer}'`,
  )
  const cell = await cursorInto(sql, `select created_at, id from posts where user_id = '${heavy}'`)
  const saved = await cursorInto(
    sql,
    `select created_at, post_id from saved_posts where user_id = '${viewer}'`,
  )
  const tagged = await cursorInto(
    sql,
    `select created_at, post_id from post_tags where tagged_user_id = '${heavy}'`,
  )
  const chat = await cursorInto(
    sql,
    `select last_message_at, id from conversations where '${viewer}' in (participant_1, participant_2)`,
  )
  const message = await cursorInto(
    sql,
    `select created_at, id from messages where conversation_id = '${longest}'`,
  )
  const sharedPhoto = await cursorInto(
    sql,
    `select created_at, id from messages where conversation_id = '${longest}' and media_id is not null`,
  )
  const lately = await cursorInto(
    sql,
    `select created_at, id from messages where recipient_id = '${viewer}'`,
    0.001,
  )
  const group = await cursorInto(sql, "select last_message_at, id from conversations where kind = 'group'")
  const request = await cursorInto(
    sql,
    `select last_message_at, conversation_id from conversation_views
     where member_id = '${viewer}' and folder = 'requests'`,
  )
  const blocked = await cursorInto(
    sql,
    `select created_at, blocked_id from blocks where blocker_id = '${viewer}'`,
  )
  const notification = await cursorInto(
    sql,
    `select created_at, id from notifications where user_id = '${viewer}'`,
  )
  const likes = `select created_at, id from notifications where user_id = '${heavy}'`
  const amidLikes = await cursorInto(sql, `${likes} and post_id = '${post}'`, 0.25)
  const oldLikes = await cursorInto(sql, `${likes} and post_id <> '${post}'`)
  const someComments = await ids(
    sql,
    `select id from comments where post_id = '${post}' order by created_at, id limit 5`,
  )
  const story = await cursorInto(sql, 'select expires_at, id from stories where expires_at > now()')
  const seen = await cursorInto(
    sql,
    `select created_at, viewer_id from story_views where story_id = '${theirStory}'`,
  )

  return [
    { name: 'NAV-01 own profile', load: () => loadOwnProfile(viewer) },
    { name: 'FEED-01 feed, first page', load: () => loadFeedPage(viewer, null) },
    { name: 'FEED-09 feed, page 500', load: () => loadFeedPage(viewer, page500) },
    { name: 'FEED-09 feed, nearly at its end', load: () => loadFeedPage(viewer, oldest) },
    { name: 'FEED-09 feed of who follows few', as: 'heavy', load: () => loadFeedPage(heavy, null) },
    { name: 'FEED-13 posts of 1,000 followed', load: () => loadFollowingPage(viewer, null) },
    { name: 'FEED-13 posts of 5,000 followed', as: 'keen', load: () => loadFollowingPage(keen, null) },
    { name: 'FEED-13 posts of 5,000, page 500', as: 'keen', load: () => loadFollowingPage(keen, page500) },
    {
      name: 'FEED-13 old posts of 5,000 followed',
      as: 'patient',
      load: () => loadFollowingPage(patient, null),
    },
    { name: 'FEED-13 posts of three followed', as: 'calm', load: () => loadFollowingPage(calm, null) },
    { name: 'FEED-13 posts of three, page 500', as: 'calm', load: () => loadFollowingPage(calm, page500) },
    { name: 'FEED-01 pictures of a page', load: () => loadPictures(newest) },
    { name: 'FEED-01 posts by their ids', load: () => loadPosts(newest, viewer) },
    { name: 'FEED-14 captions of a video', load: () => loadCaptions(video) },
    {
      name: 'FEED-10 whether there are new posts',
      load: () => loadNewest([viewer], page500?.createdAt ?? null),
    },
    {
      name: 'FEED-06 comments, first page',
      load: () => loadComments({ postId: post, threadId: null }, viewer, null),
    },
    {
      name: 'FEED-06 comments, far down',
      load: () => loadComments({ postId: post, threadId: null }, viewer, comment),
    },
    {
      name: 'FEED-15 replies, first page',
      load: () => loadComments({ postId: post, threadId: thread }, viewer, null),
    },
    {
      name: 'FEED-15 replies, far down',
      load: () => loadComments({ postId: post, threadId: thread }, viewer, reply),
    },
    {
      name: 'FEED-15 comments by their ids',
      load: () => loadCommentsById([thread, ...someComments], viewer),
    },
    { name: 'PROF-12 likes, first page', load: () => loadPeoplePage({ kind: 'likes', id: post }, null) },
    { name: 'PROF-12 likes, far down', load: () => loadPeoplePage({ kind: 'likes', id: post }, like) },
    { name: 'PROF-01 profile', as: 'heavy', load: () => loadProfile('member.12', heavy) },
    { name: 'PROF-04 relations to thirty members', load: () => loadRelations(viewer, people) },
    { name: 'PROF-06 grid, first page', load: () => loadGridPage('posts', heavy, null) },
    { name: 'PROF-06 grid, far down', load: () => loadGridPage('posts', heavy, cell) },
    { name: 'PROF-07 saved, first page', load: () => loadGridPage('saved', viewer, null) },
    { name: 'PROF-07 saved, far down', load: () => loadGridPage('saved', viewer, saved) },
    { name: 'PROF-08 tagged, first page', load: () => loadGridPage('tagged', heavy, null) },
    { name: 'PROF-08 tagged, far down', load: () => loadGridPage('tagged', heavy, tagged) },
    { name: 'FEED-16 hashtag, first page', load: () => loadGridPage('hashtag', 'Tag7', null) },
    { name: 'FEED-16 rare hashtag', load: () => loadGridPage('hashtag', 'rare7', null) },
    { name: 'FEED-16 place, first page', load: () => loadGridPage('place', 'Lisbon', null) },
    { name: 'FEED-16 place, far down', load: () => loadGridPage('place', 'Lisbon', page500) },
    { name: 'FEED-16 posts of a place, counted', load: () => countTopicPosts('place', 'Porto') },
    { name: 'FEED-16 whether a hashtag is followed', load: () => loadFollowsHashtag(viewer, 'tag7') },
    { name: 'FEED-16 followed hashtags', load: () => loadFollowedHashtags(viewer) },
    { name: 'FEED-16 popular hashtags', load: async () => loadPopularHashtags() },
    { name: 'FEED-16 recent photos, first page', load: () => loadGridPage('explore', '', null) },
    { name: 'FEED-16 recent photos, far down', load: () => loadGridPage('explore', '', page500) },
    { name: 'FEED-16 topics in the search', load: () => findTopics('t', new AbortController().signal) },
    { name: 'FEED-16 places in the search', load: () => findTopics('beach', new AbortController().signal) },
    {
      name: 'FEED-16 places in the search, in the midst of names',
      load: () => findTopics('portugal', new AbortController().signal),
    },
    {
      name: 'FEED-16 topics in the search, all hidden',
      load: () => findTopics('hidden', new AbortController().signal),
    },
    {
      name: 'FEED-16 topics in the search, none',
      load: () => findTopics('zzyzx', new AbortController().signal),
    },
    { name: 'FEED-22 posts in the search, first page', load: () => loadGridPage('search', 'harbour', null) },
    { name: 'FEED-22 posts in the search, far down', load: () => loadGridPage('search', 'harbour', page500) },
    {
      name: 'FEED-22 posts with several words',
      load: () => loadGridPage('search', 'evening lisbon light', null),
    },
    { name: 'FEED-22 posts by the beginning of a word', load: () => loadGridPage('search', 'h', null) },
    {
      name: 'FEED-22 posts by many words',
      load: () => loadGridPage('search', 'evening light over the harbour picture number', null),
    },
    { name: 'FEED-22 posts in the search, none', load: () => loadGridPage('search', 'zzyzx harbour', null) },
    {
      name: 'PROF-12 followers, first page',
      load: () => loadPeoplePage({ kind: 'followers', id: heavy }, null),
    },
    {
      name: 'PROF-12 followers, far down',
      load: () => loadPeoplePage({ kind: 'followers', id: heavy }, follower),
    },
    {
      name: 'PROF-12 following, first page',
      load: () => loadPeoplePage({ kind: 'following', id: viewer }, null),
    },
    {
      name: 'PROF-12 following, far down',
      load: () => loadPeoplePage({ kind: 'following', id: viewer }, followed),
    },
    { name: 'FEED-02 people to follow', load: async () => loadPeopleToFollow() },
    { name: 'NOTE-01 notifications', load: () => loadNotificationGroups(null) },
    { name: 'NOTE-01 notifications, further on', load: () => loadNotificationGroups(notification) },
    {
      name: 'NOTE-01 notifications after likes of one post',
      as: 'heavy',
      load: () => loadNotificationGroups(null),
    },
    {
      name: 'NOTE-01 notifications, amid likes of one post',
      as: 'heavy',
      load: () => loadNotificationGroups(amidLikes),
    },
    {
      name: 'NOTE-01 groups of five likes',
      as: 'heavy',
      load: () => loadNotificationGroups(oldLikes),
    },
    { name: 'NOTE-02 unread notifications', load: async () => countUnread() },
    { name: 'NOTE-02 unread likes of one post', as: 'heavy', load: async () => countUnread() },
    {
      name: 'NOTE-03 missed messages and notifications',
      load: () => loadMissed(viewer, lately?.createdAt ?? ''),
    },
    {
      name: 'NOTE-03 unread messages among given ones',
      as: 'heavy',
      load: () => loadUnreadIds(heavy, messages),
    },
    { name: 'NOTE-05 follow requests', load: () => loadRequests(viewer) },
    { name: 'MSG-01 conversations, first page', load: async () => loadConversationPage('inbox', null) },
    { name: 'MSG-01 conversations, far down', load: async () => loadConversationPage('inbox', chat) },
    {
      name: 'MSG-01 conversations among 500 groups, first page',
      as: 'calm',
      load: async () => loadConversationPage('inbox', null),
    },
    {
      name: 'MSG-01 conversations among 500 groups, far down',
      as: 'calm',
      load: async () => loadConversationPage('inbox', group),
    },
    {
      name: 'MSG-07 unread conversations among 500 groups',
      as: 'calm',
      load: async () => countUnreadConversations(),
    },
    { name: 'MSG-01 one conversation', load: async () => loadConversations([longest]) },
    {
      name: 'MSG-13 requests, far down',
      load: async () => loadConversationPage('requests', request),
    },
    { name: 'MSG-13 requests', load: async () => loadConversationPage('requests', null) },
    { name: 'MSG-13 MSG-15 requests and archived, counted', load: async () => loadFolders() },
    { name: 'MSG-02 the conversation with a member', load: () => findConversation(viewer, heavy) },
    { name: 'MSG-07 unread conversations', load: async () => countUnreadConversations() },
    { name: 'MSG-03 messages, first page', load: () => loadMessages(longest, null, MESSAGES_PAGE) },
    { name: 'MSG-12 messages, far up', load: () => loadMessages(longest, message, MESSAGES_PAGE) },
    {
      name: 'MSG-14 messages after an old one',
      load: () => loadNewerMessages(longest, message, MESSAGES_PAGE),
    },
    { name: 'MSG-11 answered messages', load: () => Promise.all(messages.map(quotedLoader(client))) },
    { name: 'MSG-11 photos of messages', load: () => Promise.all(photos.map(photoLoader(client))) },
    { name: 'FEED-21 shared photos, first page', load: () => loadSharedPhotos(longest, null) },
    { name: 'FEED-21 shared photos, far down', load: () => loadSharedPhotos(longest, sharedPhoto) },
    { name: 'FEED-17 shared posts', load: () => Promise.all(newest.map(sharedLoaders(client).post)) },
    { name: 'FEED-17 a shared story', load: () => sharedLoaders(client).story(theirStory) },
    { name: 'FEED-17 shared profiles', load: () => Promise.all(people.map(sharedLoaders(client).profile)) },
    { name: 'MSG-14 found messages', load: async () => readMatches('message 9', null, null) },
    { name: 'MSG-14 nothing found in 2,000 messages', load: async () => readMatches('zzyzx', null, null) },
    {
      name: 'MSG-14 nothing found in 2,000 messages of 500 groups',
      as: 'calm',
      load: async () => readMatches('zzyzx', null, null),
    },
    { name: 'MSG-14 found in a conversation', load: async () => readMatches('message', longest, message) },
    { name: 'SET-05 when members were active', load: async () => loadActivity([heavy, ...people]) },
    { name: 'STORY-02 strip, first page', load: () => loadStripPage(viewer, null) },
    { name: 'STORY-02 strip, further on', load: () => loadStripPage(viewer, story) },
    { name: 'STORY-07 the stories of a profile', load: () => loadMemberStories(viewer, heavy) },
    { name: 'STORY-03 a story', load: () => loadStory(viewer, theirStory) },
    { name: 'STORY-03 its picture', load: () => loadMedia(theirStory) },
    { name: 'MSG-10 an answered story', load: () => repliedStoryLoader(client)(theirStory) },
    { name: 'STORY-06 who has seen it, first page', as: 'heavy', load: () => loadViewers(theirStory, null) },
    { name: 'STORY-06 who has seen it, far down', as: 'heavy', load: () => loadViewers(theirStory, seen) },
    {
      name: 'SEARCH-01 a name begins with it',
      load: () => findMembers('member.1', new AbortController().signal),
    },
    {
      name: 'SEARCH-01 in the midst of names',
      load: () => findMembers('stellanos', new AbortController().signal),
    },
    {
      name: 'SEARCH-01 ACC-04 the middle of a name, with marks',
      load: () => findMembers('STELLANÓS', new AbortController().signal),
    },
    {
      name: 'MSG-14 ACC-04 found messages, with marks',
      load: async () => readMatches('Méssage 9', null, null),
    },
    { name: 'SEARCH-01 one letter', load: () => findMembers('a', new AbortController().signal) },
    { name: 'SEARCH-01 nobody', load: () => findMembers('zzyzx', new AbortController().signal) },
    {
      name: 'NOTE-05 a hundred mentions',
      load: async () => findKnownUsernames(Array.from({ length: 100 }, (_, n) => `member.${n}`)),
    },
    { name: 'SAFE-02 ids of muted members', load: () => loadMutedIds(viewer) },
    { name: 'SAFE-05 blocked members, first page', load: async () => loadSafetyPage('blocked', null) },
    {
      name: 'SAFE-05 blocked members, further on',
      load: async () => loadSafetyPage('blocked', blocked),
    },
    { name: 'SAFE-05 muted members', load: async () => loadSafetyPage('muted', null) },
    { name: 'SET-06 download: profile', load: () => onePageOf(own.readProfile, viewer)() },
    { name: 'SET-06 download: posts', as: 'heavy', load: onePage(heavy, own.readPosts) },
    { name: 'SET-06 download: stories', load: onePage(viewer, own.readStories) },
    { name: 'SET-06 download: comments', load: onePage(viewer, own.readComments) },
    { name: 'SET-06 download: likes', load: onePage(viewer, own.readLikes) },
    { name: 'SET-06 download: likes of comments', load: onePage(viewer, own.readCommentLikes) },
    { name: 'SET-06 download: saved', load: onePage(viewer, own.readSaved) },
    { name: 'SET-06 download: followers', as: 'heavy', load: onePage(heavy, own.readFollowers) },
    { name: 'SET-06 download: following', load: onePage(viewer, own.readFollowing) },
    { name: 'SET-06 download: hashtags', load: () => onePageOf(own.readHashtags, viewer)() },
    { name: 'SET-06 download: requests', load: onePage(viewer, own.readRequests) },
    {
      name: 'SET-06 download: blocked',
      load: onePage(viewer, (reading) => own.readHidden(reading, 'blocked_members')),
    },
    { name: 'SET-06 download: conversations', load: onePage(viewer, own.readConversations) },
    {
      name: 'SET-06 download: messages',
      load: onePage(viewer, (reading) => own.readMessages(reading, longest)),
    },
  ]
}

function onePageOf(load: (reading: own.Reading) => Promise<unknown>, me: string) {
  return () => load({ me, signal: new AbortController().signal, onRead: () => undefined })
}
