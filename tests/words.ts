/** The words of a list that would take a line each. */
export const words = (list: string): string[] => list.trim().split(/\s+/)
