import { render } from './render.tsx'
import { Rows } from './Rows.tsx'

render(<Rows rows={[]} />)
