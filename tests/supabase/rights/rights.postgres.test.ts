import { describeRights } from './suite'

describeRights('postgres')
