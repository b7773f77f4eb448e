// Head row of a table.

export function TableHead({ of }: { of: readonly string[] }) {
  return (
    <thead>
      <tr>
        {of.map((column) => (
          <th scope="col" key={column}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
  )
}
