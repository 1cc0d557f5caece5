import type { ReactElement } from 'react'
import { errorKinds } from './errorKindRows.ts'
import { Marked } from './Reference.tsx'

/** Every kind of error, when it occurs, and what people see. */
export function ErrorKinds(): ReactElement {
  return (
    <table className="reference">
      <thead>
        <tr>
          {errorKinds.head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {errorKinds.rows.map(([kind = '', ...cells]) => (
          <tr key={kind} id={kind.replaceAll('`', '')}>
            <th scope="row">
              <Marked text={kind} />
            </th>
            {cells.map((cell) => (
              <td key={cell}>
                <Marked text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
