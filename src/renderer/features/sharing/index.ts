export { ShareButton } from './components/ShareButton'
export { linkTo, routeOf, type ShareSource } from './link'
export { ShareDialogContext, type ShareDialogProps } from './share-dialog'
