import { counted } from './counts'

/** The emoji picker. The names of emojis come from Unicode. */
export const emoji = {
  choose: 'Choose an emoji',
  search: 'Search emojis',
  categories: 'Categories',
  list: 'Emojis',
  recent: 'Recently used',
  found: 'Found',
  results: (count: number) =>
    count === 0 ? 'No emojis found.' : counted(count, 'emoji found', 'emojis found'),
  tone: 'Skin tone',
  tones: {
    none: 'No skin tone',
    light: 'Light skin tone',
    mediumLight: 'Medium-light skin tone',
    medium: 'Medium skin tone',
    mediumDark: 'Medium-dark skin tone',
    dark: 'Dark skin tone',
  },
  groups: {
    smileys_emotion: 'Smileys and feelings',
    people_body: 'People and bodies',
    animals_nature: 'Animals and nature',
    food_drink: 'Food and drink',
    travel_places: 'Travel and places',
    activities: 'Activities',
    objects: 'Objects',
    symbols: 'Symbols',
    flags: 'Flags',
  },
}
