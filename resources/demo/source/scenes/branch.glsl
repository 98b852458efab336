// A quince branch in a bottle, and its shadow, which is better.

float leafShape(vec2 p, float size) {
  p /= size;
  float w = 0.34 * sqrt(max(0.0, p.y * (1.0 - p.y))) * (1.25 - 0.4 * p.y);
  return max(abs(p.x) - w, abs(p.y - 0.5) - 0.5) * size;
}

/** Branch, leaves and fruit as (distance, what): 1 wood, 2 leaf, 3 fruit, 4 bottle. `tone` varies by leaf. */
vec2 thing(vec2 p, out float tone, out vec2 at) {
  vec2 best = vec2(9.0, 0.0);
  tone = 0.5;
  at = vec2(0.0);
  vec2 spine[7] = vec2[7](vec2(0.00, -0.62), vec2(0.03, -0.20), vec2(-0.03, 0.12), vec2(0.06, 0.40), vec2(0.03, 0.62), vec2(0.14, 0.80), vec2(0.22, 0.90));
  for (int i = 0; i < 6; i++) best = nearer(best, vec2(segment(p, spine[i], spine[i + 1]) - 0.011 + 0.0011 * float(i), 1.0));
  vec2 fromA[5] = vec2[5](vec2(0.02, -0.10), vec2(-0.02, 0.16), vec2(0.03, 0.28), vec2(0.05, 0.47), vec2(0.06, 0.66));
  vec2 toB[5] = vec2[5](vec2(0.34, 0.20), vec2(-0.34, 0.46), vec2(0.34, 0.52), vec2(-0.20, 0.80), vec2(-0.02, 0.93));
  for (int i = 0; i < 5; i++) {
    vec2 a = fromA[i], b = toB[i], mid = mix(a, b, 0.5) + 0.06 * vec2(-(b - a).y, (b - a).x);
    best = nearer(best, vec2(min(segment(p, a, mid) - 0.0065, segment(p, mid, b) - 0.0045), 1.0));
    for (int j = 0; j < 6; j++) {
      float id = hash2(vec2(float(i) * 3.0 + 1.0, float(j) + 2.0)), t = 0.30 + 0.14 * float(j);
      vec2 foot = t < 0.5 ? mix(a, mid, t * 2.0) : mix(mid, b, t * 2.0 - 1.0);
      float angle = (j % 2 == 0 ? 1.0 : -1.0) * (0.55 + 0.7 * id) - atan((b - a).x, (b - a).y) * 0.9;
      vec2 q = turn(-angle) * (p - foot);
      float d = leafShape(q, 0.13 + 0.10 * hash1(id * 9.0));
      if (d < best.x) { best = vec2(d, 2.0); tone = id; at = q; }
    }
  }
  vec2 fruit[3] = vec2[3](vec2(-0.11, 0.20), vec2(0.19, 0.36), vec2(0.09, 0.58));
  for (int i = 0; i < 3; i++) {
    vec2 q = p - fruit[i];
    float d = length(q * vec2(1.0, 0.92)) - 0.088 - 0.010 * sin(atan(q.y, q.x) * 3.0 + float(i));
    if (d < best.x) { best = vec2(d, 3.0); tone = float(i) / 3.0; at = q / 0.09; }
  }
  vec2 b = p - vec2(0.0, -0.66);
  float wide = mix(0.175, 0.052, smoothstep(0.10, 0.34, b.y));
  float bottle = max(abs(b.x) - wide, max(-b.y - 0.26, b.y - 0.46)) - 0.012;
  if (bottle < best.x && !(best.x < 0.0 && best.y == 1.0)) { best = vec2(bottle, 4.0); at = vec2(b.x / wide, b.y); }
  return best;
}

vec3 photo(vec2 uv) {
  vec2 lens = spread(lensDrift);
  vec2 shake = sqrt(lens.x) * vec2(cos(6.2832 * lens.y), sin(6.2832 * lens.y));
  vec2 p = uv - vec2(-0.16, 0.05);
  float table = -0.80, tone;
  vec2 at, w = turn(0.10) * (uv + 0.022 * shake);
  w.x += 0.32 * w.y;
  float pane = smoothstep(0.006, -0.006, box2(w - vec2(0.10, 0.10), vec2(0.64, 0.86))) * (1.0 - smoothstep(0.034, 0.028, abs(w.x - 0.16))) * (1.0 - smoothstep(0.028, 0.022, abs(w.y - 0.26)));
  vec2 thrown = (uv - vec2(0.17, -0.015) - 0.013 * shake) - vec2(-0.16, 0.05);
  thrown.x -= 0.10 * (thrown.y + 0.8);
  vec2 shadow = thing(thrown, tone, at);
  float dark = smoothstep(0.003, -0.003, shadow.x) * (shadow.y > 3.5 ? 0.45 + 0.35 * pow(abs(at.x), 3.0) : 0.92);
  float plaster = fbm(uv * 3.0, 6);
  vec3 wall = vec3(0.56, 0.50, 0.42) * (0.88 + 0.2 * plaster) * (0.985 + 0.03 * noise(uv * 140.0));
  vec3 c = wall * (vec3(0.20, 0.23, 0.29) + vec3(1.55, 1.22, 0.82) * pane * (1.0 - dark));
  if (uv.y < table) {
    float grain = noise(vec2(uv.x * 5.0, uv.y * 110.0));
    float run = smoothstep(0.006, -0.006, abs(uv.x + 0.05 + (uv.y - table) * 0.8) - 0.46);
    c = vec3(0.20, 0.11, 0.06) * (0.7 + 0.5 * grain) * (0.5 + 1.5 * run * smoothstep(-1.0, table, uv.y));
    c *= 1.0 - 0.6 * exp(-pow((uv.x - 0.02) * 3.2, 2.0)) * smoothstep(-0.95, table, uv.y);
    c += vec3(0.16, 0.11, 0.06) * smoothstep(table - 0.012, table, uv.y);
  }
  vec2 t = thing(p, tone, at);
  float on = smoothstep(0.0025, -0.0025, t.x), lit = 0.45 + 0.75 * smoothstep(0.35, -0.3, p.x - 0.25 * p.y);
  if (t.y < 1.5) c = mix(c, vec3(0.085, 0.052, 0.034) * (0.6 + 1.2 * lit), on);
  else if (t.y < 2.5) {
    vec3 green = mix(vec3(0.155, 0.20, 0.05), vec3(0.42, 0.30, 0.06), smoothstep(0.35, 0.95, tone));
    green *= (0.6 + 0.9 * lit) * (at.x < 0.0 ? 1.15 : 0.80) * (1.0 - 0.3 * smoothstep(0.004, 0.001, abs(at.x)));
    c = mix(c, green, on);
  } else if (t.y < 3.5) {
    float z = sqrt(max(0.0, 1.0 - dot(at, at)));
    float light = max(dot(normalize(vec3(at, z + 0.15)), normalize(vec3(-0.72, 0.52, 0.45))), 0.0);
    c = mix(c, vec3(0.86, 0.60, 0.09) * (0.16 + 1.35 * light) * (0.88 + 0.2 * fbm(at * 3.0 + tone * 9.0, 4)) + vec3(0.35) * pow(light, 16.0), on);
  } else {
    vec3 through = c * mix(vec3(0.62, 0.80, 0.72), vec3(0.30, 0.48, 0.42), pow(abs(at.x), 3.0));
    float water = smoothstep(0.006, -0.006, at.y - 0.055);
    through *= mix(1.0, 0.86, water);
    through += vec3(0.85, 0.80, 0.70) * (0.75 * smoothstep(0.06, 0.0, abs(at.x + 0.66)) * smoothstep(-0.22, -0.05, at.y) + 0.25 * smoothstep(0.03, 0.0, abs(at.x - 0.78)));
    through += vec3(0.4, 0.42, 0.38) * smoothstep(0.010, 0.0, abs(at.y - 0.055)) * 0.6;
    float inStalk = segment(p, vec2(0.0, -0.85), vec2(0.02, -0.20)) - 0.010;
    through = mix(through, vec3(0.07, 0.06, 0.035), smoothstep(0.003, -0.003, inStalk) * 0.85);
    c = mix(c, through, on);
  }
  return c * 1.12;
}
