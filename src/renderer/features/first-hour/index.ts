export { FirstHour, useFirstHour } from './FirstHour'
