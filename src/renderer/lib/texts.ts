import { EMAIL_MAX, PASSWORD_MIN, TEXT_LIMITS, USERNAME } from '#/shared/limits'
import type { ServerProblem } from '#/shared/server'

const plural = new Intl.PluralRules('en')
const number = new Intl.NumberFormat('en')

/** `1 like`, `2 likes`, `1,024 likes`. */
function counted(n: number, one: string, other: string): string {
  return `${number.format(n)} ${plural.select(n) === 'one' ? one : other}`
}

const serverProblems: Record<ServerProblem, string> = {
  url: 'That is not a server address. It looks like https://example.supabase.co.',
  insecure: 'Only https addresses can be used; http is for this computer alone.',
  unreachable: 'No answer from that address. Check it, and your connection.',
  'not-supabase': 'Something answers there, but it is not a Supabase server.',
  key: 'The server does not accept this key.',
  schema: 'The server answers, but it is not set up for Vignette yet.',
}

/** Every text the app shows, in one place. Texts given by spec.md are exact. */
export const texts = {
  product: 'Vignette',
  tagline: 'Photographs, and the people behind them.',
  loading: 'Loading',
  close: 'Close',
  cancel: 'Cancel',
  back: 'Back',
  delete: 'Delete',
  tryAgain: 'Try again',
  somethingBroke: {
    title: 'This page could not be shown',
    body: 'The rest of Vignette still works. Nothing you posted is lost.',
  },
  skipToContent: 'Skip to content',

  nav: {
    label: 'Main',
    home: 'Home',
    messages: 'Messages',
    create: 'Create post',
    notifications: (unread: number) =>
      unread > 0 ? `Notifications, ${badge(unread)} unread` : 'Notifications',
    account: 'Account menu',
    profile: 'Profile',
    settings: 'Settings',
    signOut: 'Sign Out',
  },

  search: {
    label: 'Search',
    placeholder: 'Search',
    nobody: 'Nobody by that name',
  },

  auth: {
    email: 'Email',
    password: 'Password',
    fullName: 'Full name',
    username: 'Username',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    signIn: 'Sign in',
    signingIn: 'Signing in...',
    signInFailed: 'An error occurred during login',
    noAccount: 'New here?',
    toSignup: 'Create an account',
    forgot: 'Forgot password?',
    signUp: 'Sign up',
    signingUp: 'Signing up...',
    signUpFailed: 'An error occurred during sign up',
    haveAccount: 'Have an account?',
    toLogin: 'Sign in',
    passwordHint: `At least ${PASSWORD_MIN} characters`,
    usernameHint: 'a–z, 0–9, dots and underscores',
    usernameTaken: 'This username is taken. Choose another one.',
    usernameInvalid: `A username has ${USERNAME.min} to ${USERNAME.max} letters (a–z), digits, dots or underscores, and no dot at either end.`,
    createdTitle: 'Account Created!',
    createdBody: 'Welcome to Vignette! Redirecting you now...',
    mailSentTitle: 'Check your mail',
    mailSentBody: (email: string) =>
      `We sent a message to ${email}. Follow its link, then sign in here: your profile is made at that moment.`,
    chooseUsernameTitle: 'Choose a username',
    chooseUsernameBody: 'Your account is there; only its name is missing.',
    continue: 'Continue',
    continuing: 'One moment...',
    recoverTitle: 'Reset your password',
    recoverBody: 'We send a code to your email address.',
    sendCode: 'Send code',
    sendingCode: 'Sending...',
    codeTitle: 'Enter the code',
    codeBody: (email: string) => `If ${email} belongs to an account, a code is on its way.`,
    codeFile: 'This server has no mail: it writes messages to a file on this computer.',
    showCodeFile: 'Show the file',
    code: 'Code from the mail',
    newPassword: 'New password',
    setPassword: 'Set new password',
    settingPassword: 'Saving...',
    recoverFailed: 'That did not work. Please try again.',
    codeWrong: 'This code is wrong or has expired. Ask for a new one if need be.',
    backToSignIn: 'Back to sign in',
    lookAround: 'or look around as',
    demoMember: (name: string) => `Look around as ${name}`,
    offline: 'The server cannot be reached. Check your connection and try again.',
    tooManyTries: 'Wait a few minutes, then try again.',
  },

  server: {
    connect: 'Connect to a server…',
    connectedTo: (host: string) => `Server: ${host}`,
    title: 'Connect to a server',
    body: 'Vignette works with any Supabase project that is set up for it. You find both values in its settings, under API keys.',
    url: 'Server address',
    urlPlaceholder: 'https://example.supabase.co',
    key: 'Publishable key',
    submit: 'Connect',
    checking: 'Checking...',
    useEmbedded: 'Use this computer instead',
    problem: (problem: ServerProblem) => serverProblems[problem],
    unavailable: 'Vignette’s server did not start',
    unavailableBody: 'The app could not find out which server to use.',
  },

  session: {
    notKept: 'This system offers no keychain, so you stay signed in only until Vignette closes.',
    keepAnyway: 'Keep me signed in anyway',
    understood: 'OK',
    restored: 'The stored data could not be opened. The newest backup was restored.',
    backendRestarting: 'Vignette’s server stopped and is being restarted…',
    backendFailed: 'Vignette’s server does not start.',
  },

  feed: {
    label: 'Posts',
    emptyTitle: 'No posts yet',
    emptyBody: 'Start following people or create your first post!',
    newPosts: 'New posts',
    end: 'You have seen everything.',
    loadingMore: 'Loading more posts',
  },

  stories: {
    label: 'Stories',
    yours: 'Your story',
  },

  post: {
    by: (username: string) => `Post by ${username}`,
    photoBy: (username: string) => `Photo by ${username}`,
    like: 'Like',
    save: 'Save',
    comment: 'Comment',
    options: 'Post options',
    edited: 'edited',
    likes: (n: number) => counted(n, 'like', 'likes'),
    comments: (n: number) => counted(n, 'comment', 'comments'),
    viewComments: (n: number) => (n === 1 ? 'View 1 comment' : `View all ${number.format(n)} comments`),
    more: 'more',
    deletePost: 'Delete post',
    deleteTitle: 'Delete this post?',
    deleteBody: 'Its likes and comments go with it. This cannot be undone.',
    deleteCommentTitle: 'Delete this comment?',
    deleteCommentBody: 'This cannot be undone.',
    deleteComment: 'Delete comment',
    commentPlaceholder: 'Add a comment...',
    submitComment: 'Post',
    commentList: 'Comments',
    moreComments: 'Show more comments',
    noComments: 'No comments yet. Be the first.',
    left: (n: number) => `${counted(n, 'character', 'characters')} left`,
    tooLong: (n: number) => `${counted(n, 'character', 'characters')} too many`,
  },

  composer: {
    title: 'Create post',
    textLabel: 'Text',
    placeholder: "What's on your mind?",
    locationLabel: 'Location',
    locationPlaceholder: 'Add location',
    altLabel: 'Alt text',
    altPlaceholder: 'Describe the photo for people who cannot see it',
    share: 'Share',
    posting: 'Posting...',
    choosePhoto: 'Choose a photo',
    changePhoto: 'Change photo',
    removePhoto: 'Remove photo',
    dropHint: 'or drop or paste one here',
    dropHere: 'Drop to add this photo',
    working: 'Preparing your photo',
    previewAlt: 'Your photo, as it will be posted',
  },

  media: {
    'not-a-picture': 'This file is not a picture.',
    unsupported: 'This picture format cannot be read here. Save it as JPEG, PNG or WebP and try again.',
    broken: 'This picture is damaged and cannot be opened.',
    'too-large': 'This picture is larger than 25 MB. Choose a smaller one.',
    'too-many-pixels': 'This picture has more than 64 megapixels. Choose a smaller one.',
    empty: 'This file is empty.',
    'too-large-after': 'This picture cannot be made small enough to post.',
    failed: 'This picture could not be read. Please try again.',
  },

  notifications: {
    title: 'Notifications',
    none: 'Nothing new yet',
    noneBody: 'Likes, comments and follows show up here.',
    markAll: 'Mark all as read',
    markRead: 'Mark as read',
    like: 'liked your post',
    comment: 'commented on your post',
    follow: 'started following you',
    story_view: 'viewed your story',
  },

  profile: {
    notFoundTitle: 'User not found',
    notFoundBody: "This user doesn't exist or has been deleted.",
    posts: (n: number) => counted(n, 'post', 'posts'),
    followers: (n: number) => counted(n, 'follower', 'followers'),
    following: (n: number) => `${number.format(n)} following`,
    tabs: { posts: 'POSTS', saved: 'SAVED', tagged: 'TAGGED' },
    noPosts: 'No Posts Yet',
    noOwnPosts: "When you share photos, they'll appear on your profile.",
  },

  editProfile: { title: 'Edit Profile' },
  settings: {
    title: 'Settings',
    appearance: 'Appearance',
    theme: { system: 'System', light: 'Light', dark: 'Dark' },
  },
  messages: {
    title: 'Messages',
    emptyTitle: 'Your Messages',
    emptyBody: 'Send private messages to a friend or group.',
  },

  limits: {
    fullName: `A name has at most ${TEXT_LIMITS.fullName} characters.`,
    email: `An email address has at most ${EMAIL_MAX} characters.`,
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    list: [
      ['j / k', 'Next / previous post'],
      ['l', 'Like'],
      ['s', 'Save'],
      ['c', 'Comment'],
      ['n', 'New post'],
      ['/', 'Search'],
      ['g h', 'Home'],
      ['g m', 'Messages'],
      ['g p', 'Your profile'],
      ['?', 'This list'],
    ],
  },
} as const

/** The number on a badge: nothing at zero is the caller's part; above nine it reads '9+'. */
export function badge(unread: number): string {
  return unread > 9 ? '9+' : String(unread)
}

/** A count as it stands beside an icon: `1,024`. */
export function formatCount(n: number): string {
  return number.format(n)
}
