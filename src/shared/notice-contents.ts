/** What a notification may show: the name and the text, only the name, or neither. */
export const NOTICE_CONTENTS = ['text', 'name', 'nothing'] as const
