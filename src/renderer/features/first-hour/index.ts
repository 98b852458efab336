export { FirstHour } from './FirstHour'
