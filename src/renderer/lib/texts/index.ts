/**
 * Every text the app shows. Those that docs/product.md quotes are exact. A namespace instead of an object: the bundler then puts only the
 * groups into the first load that its screens use.
 */
export * as texts from './all'
export { formatCount, shortCount } from './counts'
