import { describeRights } from '#tests/backend/rights/suite'

describeRights('pglite')
