/**
 * Texts that no test asserts, by key, grouped by the reason. The list only shrinks: remove texts that have got a test.
 */
export const TEXTS_WITHOUT_TEST: Readonly<Record<string, readonly string[]>> = {
  'Questions before something is deleted: journeys press their buttons, and do not read what is asked.': [
    'messages.unsendBody',
    'post.deleteTitle',
    'post.deleteBody',
    'stories.deleteBody',
  ],
  'Prose and placeholders beside what a journey does: they explain, and nothing depends on them.': [
    'auth.noAccount',
    'editProfile.cropHint',
    'makeStory.captionPlaceholder',
    'notifications.noneBody',
    'post.goneBody',
    'session.noServerBody',
    'stories.goneBody',
  ],
  'Tooltips and names of controls that a journey reaches in another way.': [
    'editProfile.cropUpright',
    'messages.openPhoto',
    'people.cancelRequest',
    'stories.previous',
    'stories.progress',
  ],
  'Ends and empty states of lists, whose first entries are tested.': [
    'feed.end',
    'messages.you',
    'people.none.followers',
    'people.none.following',
    'people.none.likes',
    'stories.noViewers',
  ],
  'Shown only while something is under way.': [
    'messages.dropPhoto',
    'messages.older',
    'messages.preview.waiting',
    'stories.one',
    'stories.waiting',
  ],
  'Shown only when something broke that no test breaks yet.': [
    'media.too-large-after',
    'media.failed',
    'media.video-failed',
    'messages.preview.refused',
    'session.noServer',
    'stories.noReplies',
    'stories.notLoaded',
  ],
}

/** Names of failures that no test asserts, grouped by the reason. */
export const FAILURES_WITHOUT_TEST: Readonly<Record<string, readonly string[]>> = {
  'Logged by the one function for all choices of media, which is tested with `choose photo`.': [
    'choose message photo',
    'choose profile photo',
    'choose story media',
  ],
  'A call on leaving, after which nothing is kept or shown.': ['stop listening to routes'],
}
