// Looking up into a street lamp while it snows.

vec3 photo(vec2 uv) {
  vec2 lens = spread(lensDrift);
  vec2 disc = sqrt(lens.x) * vec2(cos(6.2832 * lens.y), sin(6.2832 * lens.y));
  vec2 lamp = vec2(0.10, 0.30);
  float d = length(uv - lamp);
  vec3 warm = vec3(1.0, 0.56, 0.22);
  vec3 c = vec3(0.026, 0.030, 0.052) + warm * (0.22 * exp(-2.3 * d) + 0.42 * exp(-7.0 * d)) + vec3(0.03, 0.02, 0.018) * smoothstep(0.3, -1.0, uv.y);
  for (int k = 0; k < 2; k++) {
    float roof = -0.50 - 0.13 * float(k) + 0.20 * abs(fract(uv.x * (0.9 + 0.5 * float(k)) + 0.2 + 0.4 * float(k)) - 0.5);
    vec3 house = vec3(0.030, 0.026, 0.036) * (1.2 - 0.5 * float(k)) + warm * 0.05 * exp(-1.5 * d);
    vec2 g = vec2(uv.x * 7.0, (uv.y - roof) * 5.5), f = fract(g) - 0.5;
    float pane = max(abs(f.x) - 0.20, abs(f.y) - 0.26), lit = step(0.62, hash2(floor(g) + float(k) * 5.0));
    house += vec3(0.95, 0.50, 0.17) * lit * smoothstep(0.02, -0.02, pane) * step(uv.y, roof - 0.12) * smoothstep(0.02, 0.05, min(abs(f.x), abs(f.y - 0.05))) * 0.8;
    c = mix(c, house, smoothstep(0.004, -0.004, uv.y - roof));
    c = mix(c, vec3(0.30, 0.23, 0.21) * (0.6 + 1.2 * exp(-1.6 * d)), smoothstep(0.004, -0.004, abs(uv.y - roof) - 0.009));
  }
  vec2 q = uv - lamp;
  float pole = min(segment(q, vec2(0.30, -1.5), vec2(0.30, 0.02)) - 0.014, abs(length(q - vec2(0.18, 0.02)) - 0.12) - 0.011 + 9.0 * step(q.y, 0.02));
  c = mix(c, vec3(0.012, 0.010, 0.012) + warm * 0.34 * smoothstep(-0.012, -0.002, pole) * exp(-2.5 * d) * step(q.x, 0.30), smoothstep(0.003, -0.003, pole));
  c = mix(c, vec3(0.55, 0.44, 0.38) * (0.5 + exp(-3.0 * d)), smoothstep(0.003, -0.003, max(abs(length(q - vec2(0.18, 0.02)) - 0.136) - 0.008, 0.06 - q.y)));
  float shade = max(length(q * vec2(1.0, 1.5) - vec2(0.06, 0.03)) - 0.105, -q.y - 0.005);
  c = mix(c, vec3(0.022, 0.018, 0.018) + warm * 0.25 * smoothstep(0.03, 0.0, q.y + 0.005), smoothstep(0.003, -0.003, shade));
  c = mix(c, vec3(0.60, 0.50, 0.44), smoothstep(0.003, -0.003, max(abs(length(q * vec2(1.0, 1.5) - vec2(0.06, 0.035)) - 0.112) - 0.012, 0.035 - q.y)));
  c += vec3(9.0, 5.6, 2.6) * smoothstep(0.004, -0.004, length((q - vec2(0.06, -0.012)) * vec2(1.0, 1.8)) - 0.058);
  for (int k = 0; k < 6; k++) {
    float layer = float(k), scale = 26.0 / (1.0 + 0.95 * layer), blur = k < 2 ? 0.0 : 0.010 * (layer - 1.0);
    vec2 p = turn(0.20 + 0.05 * layer) * (uv + disc * blur) * scale + vec2(layer * 7.3, layer * 3.1), cell = floor(p);
    for (int j = 0; j < 4; j++) {
      vec2 n = floor(p - 0.5) + vec2(j & 1, j >> 1), at = n + 0.2 + 0.6 * hash22(n + layer);
      if (hash2(n + 9.0 + layer) < 0.50) continue;
      float r = (0.05 + 0.07 * hash2(n + 17.0)) * (1.0 + 0.15 * layer);
      float flake = smoothstep(r, r * 0.55, length((p - at) * vec2(1.0, 0.82)));
      vec3 lit = mix(vec3(0.14, 0.15, 0.19), vec3(1.5, 0.95, 0.55), exp(-2.4 * d));
      c = mix(c, lit, flake * (0.92 - 0.10 * layer));
    }
  }
  return c * 1.15;
}
