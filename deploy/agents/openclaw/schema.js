/** As much of JSON Schema as the configuration uses. What a schema says beyond these words would pass unseen. */

const IS_OF_TYPE = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isSafeInteger(value),
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/**
 * Every fault of a value, each with its place. No value is repeated: it may be a secret in the wrong field.
 * @param {unknown} value
 * @param {object} schema
 * @param {string} place how the value is called
 * @returns {string[]}
 */
export function faultsOf(value, schema, place) {
  const types = [schema.type].flat();
  const type = types.find((name) => IS_OF_TYPE[name](value));
  if (type === undefined) return [`${place} is no ${types.join(" or ")}`];
  if (type === "string") return text(value, schema, place);
  if (type === "integer") return number(value, schema, place);
  return type === "array" ? list(value, schema, place) : fields(value, schema, place);
}

function text(value, { minLength = 0, maxLength = Infinity, pattern, enum: words }, place) {
  const length = [...value].length;
  return [
    ...(length < minLength ? [`${place} is shorter than ${minLength}`] : []),
    ...(length > maxLength ? [`${place} is longer than ${maxLength}`] : []),
    ...(pattern !== undefined && !new RegExp(pattern, "u").test(value) ? [`${place} does not match ${pattern}`] : []),
    ...(words !== undefined && !words.includes(value) ? [`${place} is none of ${words.join(", ")}`] : []),
  ];
}

function number(value, { minimum = -Infinity, maximum = Infinity }, place) {
  return value < minimum || value > maximum ? [`${place} is not within ${minimum} to ${maximum}`] : [];
}

function list(value, { minItems = 0, maxItems = Infinity, items }, place) {
  if (value.length < minItems || value.length > maxItems) return [`${place} has not ${minItems} to ${maxItems} items`];
  return value.flatMap((item, index) => faultsOf(item, items, `${place}[${index}]`));
}

function fields(value, { properties, required = [] }, place) {
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${place}.${name} is missing`);
  const faults = Object.entries(value).flatMap(([name, item]) => {
    const known = Object.hasOwn(properties, name);
    return known ? faultsOf(item, properties[name], `${place}.${name}`) : [`${place}.${name} is not known`];
  });
  return [...missing, ...faults];
}
