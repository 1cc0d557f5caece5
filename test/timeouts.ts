import { configure } from '@testing-library/react'

// A busy machine takes longer than the usual second for what is not about time at all.
configure({ asyncUtilTimeout: 60_000 })
