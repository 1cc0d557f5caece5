import { configure } from '@testing-library/react'

// A busy machine may need more than the default of one second, also for tests that are not about time.
configure({ asyncUtilTimeout: 60_000 })
