/** What the row of a new member's profile has besides names: the defaults of the database. */
export const PROFILE_DEFAULTS = {
  avatar_url: null,
  avatar_path: null,
  is_private: false,
  show_activity_status: true,
  allow_story_replies: true,
  new_messages_from: 'everyone',
}
