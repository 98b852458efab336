import { describeRights } from './suite'

describeRights('pglite')
