// What is imported beside modules of JavaScript: style sheets come as text.
declare module "*.css" {
  const text: string;
  export default text;
}
