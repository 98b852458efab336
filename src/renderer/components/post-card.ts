/** A post in a list: its photo, author and words lie on the paper, without a card around them. The first has the stories above it. */
export const CARD_CLASS = 'mb-9 outline-offset-8 first-photo'
