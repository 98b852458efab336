// The shadow of a hand on a plaster wall, bars of window light across it.

float finger(vec2 p, vec2 a, vec2 b, vec2 c, float r) {
  float first = segment(p, a, b) - mix(r * 1.12, r, clamp(length(p - a) / length(b - a), 0.0, 1.0));
  return blend(first, segment(p, b, c) - mix(r, r * 0.72, clamp(length(p - b) / length(c - b), 0.0, 1.0)), 0.02);
}

float hand(vec2 p) {
  float palm = blend(length((p - vec2(0.02, -0.02)) * vec2(1.0, 0.86)) - 0.175, segment(p, vec2(-0.06, -0.12), vec2(0.09, -0.12)) - 0.10, 0.10);
  float fingers = finger(p, vec2(-0.12, 0.10), vec2(-0.205, 0.34), vec2(-0.235, 0.51), 0.046);
  fingers = min(fingers, finger(p, vec2(-0.035, 0.14), vec2(-0.062, 0.42), vec2(-0.055, 0.62), 0.048));
  fingers = min(fingers, finger(p, vec2(0.055, 0.13), vec2(0.092, 0.39), vec2(0.125, 0.57), 0.046));
  fingers = min(fingers, finger(p, vec2(0.135, 0.06), vec2(0.225, 0.26), vec2(0.285, 0.39), 0.038));
  float thumb = finger(p, vec2(-0.10, -0.10), vec2(-0.29, 0.02), vec2(-0.385, 0.15), 0.052);
  float arm = segment(p, vec2(0.015, -0.18), vec2(0.20, -1.5)) - 0.118 - 0.05 * smoothstep(-0.3, -1.2, p.y);
  return blend(blend(palm, min(fingers, thumb), 0.05), arm, 0.12);
}

vec3 photo(vec2 uv) {
  vec2 lens = spread(lensDrift);
  vec2 shake = sqrt(lens.x) * vec2(cos(6.2832 * lens.y), sin(6.2832 * lens.y));
  vec2 p = turn(-0.20) * (uv - vec2(0.10, -0.06)) * 0.98;
  float far = 0.010 + 0.035 * smoothstep(0.2, -1.1, uv.y);
  float shadow = smoothstep(0.004, -0.004, hand(p + far * shake));
  vec2 w = turn(0.16) * uv + 0.016 * shake;
  w.x += 0.35 * w.y;
  float pane = smoothstep(0.004, -0.004, box2(w - vec2(0.05, 0.02), vec2(0.66, 0.80)));
  pane *= 1.0 - smoothstep(0.032, 0.026, abs(w.x - 0.03)) ;
  pane *= 1.0 - smoothstep(0.026, 0.020, abs(w.y - 0.30));
  float leaf = smoothstep(0.40, 0.47, fbm((w + 0.06 * shake) * 3.2 + vec2(4.0, 1.0), 3) + 0.5 * smoothstep(0.1, -0.9, w.x - 0.3 * w.y));
  float light = pane * mix(1.0, 0.14, leaf * smoothstep(-0.1, -0.7, uv.x)) * (1.0 - shadow);
  vec2 e = vec2(0.004, 0.0);
  float h = fbm(uv * 4.0, 6), rough = (h - fbm(uv * 4.0 + e.xx * 4.0, 6)) * 9.0 + 0.30 * (noise(uv * 130.0) - noise(uv * 130.0 + 0.7));
  float wall = 0.62 + 0.08 * (h - 0.5);
  float crack = smoothstep(0.006, 0.0, abs(uv.x + 0.78 - 0.12 * fbm(vec2(uv.y * 2.0, 1.0), 5) - 0.2 * uv.y)) * smoothstep(-0.1, 0.5, uv.y);
  return vec3(wall * (0.10 + 1.15 * light * (1.0 + 0.55 * rough)) * (1.0 - 0.5 * crack));
}
