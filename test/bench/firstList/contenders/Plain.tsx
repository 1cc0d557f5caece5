import { useEffect, useState } from 'react'
import { render } from './render.tsx'
import { type Row, Rows } from './Rows.tsx'

function Page() {
  const [rows, setRows] = useState<readonly Row[]>([])
  useEffect(() => {
    const controller = new AbortController()
    const headers = { Authorization: 'Bearer demo' }
    fetch('/v1/categories', { headers, signal: controller.signal })
      .then((response) => response.json())
      .then(setRows, () => undefined)
    return () => controller.abort()
  }, [])
  return <Rows rows={rows} />
}

render(<Page />)
